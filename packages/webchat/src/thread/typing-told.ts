/** How often the visitor's typing is told, in ms. */
const everyMs = 4_000;

/** Tells that the visitor types, and once that they do so no more. */
export const createTypingTold = (tell: (isTyping: boolean) => void) => {
  let toldAt = 0;
  return (isTyping: boolean): void => {
    const now = Date.now();
    if (isTyping ? now - toldAt < everyMs : toldAt === 0) return;
    toldAt = isTyping ? now : 0;
    tell(isTyping);
  };
};
