/** Texts with placeholders. */
export const words: {
  types: Readonly<Record<string, string>>;
  sets: Readonly<Record<'always' | 'surely' | 'maybe' | 'contact' | 'params' | 'never', string>>;
  filters: Readonly<Record<string, string>>;
  sample: (sample: string) => string;
  insert: string;
  insertInto: (label: string) => string;
} = {
  types: {
    text: 'text',
    number: 'number',
    boolean: 'yes or no',
    date: 'date',
    datetime: 'date and time',
    list: 'list',
    json: 'JSON',
    time: 'time of day',
    weekday: 'day of the week',
  },
  sets: {
    always: 'always set',
    surely: 'set by earlier blocks',
    maybe: 'set on some paths',
    contact: 'from the contact, may be empty',
    params: 'from the enrollment, may be empty',
    never: 'never set before this block',
  },
  filters: {
    default: 'a text in its place when it is empty',
    json: 'as JSON',
    urlencode: 'encoded for a URL',
    lower: 'in lowercase',
    upper: 'in uppercase',
    trim: 'without blanks around it',
    date: 'a date in a format such as "D MMM YYYY"',
  },
  sample: (sample) => `“${sample}”`,
  insert: 'Insert placeholder',
  insertInto: (label) => `Insert placeholder: ${label}`,
};
