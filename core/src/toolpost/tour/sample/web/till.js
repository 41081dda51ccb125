export function close(till) {
  if (till != null) till.dispose();
  if (till.drawer != null) till.light.dispose();
}
