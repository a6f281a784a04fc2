import { fieldsOf, numberOf, textOf } from './reading.ts';

/** What the channel says of its chat. */
export type Config = {
  title: string;
  greeting: string;
  /** As `#rrggbb`. */
  color: string;
  side: 'left' | 'right';
  texts: Record<string, string>;
  /** As many characters as a message may have. */
  mostText: number;
  /** Whether somebody is there, as the server says it. */
  office: unknown;
  /** When that was, in ms. */
  readAt: number;
};

/** Reads an answer of `config`. */
export const readConfig = (answer: unknown): Config => {
  const given = fieldsOf(answer);
  const color = textOf(given['color']);
  return {
    title: textOf(given['title']) || 'Chat',
    greeting: textOf(given['greeting']),
    color: /^#[0-9a-f]{6}$/i.test(color) ? color : '#4f46e5',
    side: given['position'] === 'left' ? 'left' : 'right',
    texts: Object.fromEntries(Object.entries(fieldsOf(given['texts'])).map(([key, text]) => [key, textOf(text)])),
    mostText: numberOf(fieldsOf(given['limits'])['text'], 10_000),
    office: given['office'],
    readAt: Date.now(),
  };
};
