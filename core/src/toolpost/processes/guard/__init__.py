"""The supervisors of one run: a program of its own, which uses the standard library alone and starts fast.

Three kinds of process, each forked from the one before it::

    harness
      outer guard      one a run; sees the harness die; adopts all that the inner guard leaves behind
        inner guard    one a run; takes orders over a socket; adopts all that a dead keeper leaves behind
          keeper       one a child; adopts all that the child leaves behind; ends the way the child ended
            child      what was asked for

Each of the three is a subreaper (prctl(2), PR_SET_CHILD_SUBREAPER), so a descendant cannot leave the tree by forking
twice or by opening a session. Each watches the one above it, and ends its own descendants when that one is gone. So any
of them may die by SIGKILL, and the next one up or down still clears the tree (contract core:processes).

The program finds this folder by its place, not through the toolpost package. So these modules import each other
relatively, and nothing else of toolpost.
"""
