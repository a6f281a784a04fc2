/** The language of all pages, of their numbers and dates too, whatever the browser speaks. */
export const locale = 'en-US';
