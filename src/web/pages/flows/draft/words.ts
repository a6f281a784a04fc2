/** The draft of a flow while it is changed. */
export const words = {
  editJson: 'Edit JSON',
};
