/** By then a dialog has faded out, and given the focus back to what is still there, in ms. */
const closedMs = 400;

/** Gives the focus to the page where nothing has it, as what had it was taken away: a keyboard would begin again before the navigation. */
export const keepFocus = (): void => {
  setTimeout(() => {
    const isNowhere = document.activeElement === null || document.activeElement === document.body;
    if (isNowhere) document.getElementById('main')?.focus({ preventScroll: true });
  }, closedMs);
};
