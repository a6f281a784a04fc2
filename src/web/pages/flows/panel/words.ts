/** The panel of a block. */
export const words = {
  start: 'Start',
  change: (id: string) => `Change ${id}`,
};
