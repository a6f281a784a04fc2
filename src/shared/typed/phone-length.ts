/** The most characters of a phone number as people write one. */
export const phoneLength = 40;
