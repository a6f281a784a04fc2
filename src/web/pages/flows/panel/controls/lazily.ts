/** For selects with many options: these stand in the page only while they are open, so that a key typed elsewhere costs nothing for them. */
export const mountedOpen = { keepMounted: false } as const;
