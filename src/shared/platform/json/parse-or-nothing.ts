/** What a text of JSON says; undefined for one that is no JSON. */
export const parseOrNothing = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
