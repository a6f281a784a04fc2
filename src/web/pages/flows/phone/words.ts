/** The phone on which a draft is tried. */
export const words = {
  title: 'Try it',
};
