const two = (count: number): string => String(count).padStart(2, '0');

/** A moment in the user's zone, as `<input type="datetime-local">` has it, by the minute or, where the field has them, with seconds. */
export const toLocalInput = (at: Date, { withSeconds = false } = {}): string => {
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const minute = `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
  return withSeconds ? `${minute}:${two(at.getSeconds())}` : minute;
};
