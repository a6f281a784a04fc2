/** A size in words; "" where it is not known. */
export const sizeOf = (bytes: number): string => {
  if (bytes <= 0) return '';
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
};
