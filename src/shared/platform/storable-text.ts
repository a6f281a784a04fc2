/** Whether PostgreSQL can hold a text: it has no NUL and no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** A text as PostgreSQL can hold it: U+FFFD stands for each NUL and each half of a surrogate pair. */
export const toStorable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();
