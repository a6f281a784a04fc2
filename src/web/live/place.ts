/** The place of a row in a thread. Ids sort by the time at which they were made, whatever they name. */
export const placeOf = (id: string): string => id.slice(id.lastIndexOf('_') + 1);
