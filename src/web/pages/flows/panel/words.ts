/** The panel of a block. */
export const words = {
  change: (id: string) => `Change ${id}`,
};
