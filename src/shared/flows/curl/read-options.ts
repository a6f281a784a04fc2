import type { Findings } from './findings.ts';
import { longNames, refusals, sayings, takesValue } from './options.ts';
import type { Word } from './words.ts';

/** An option by its long name, as it was written, with its value, if it takes one. */
export type Option = { name: string; written: string; value: string; at: number };

/** What a command gives curl: its options in their order, and its urls. */
export type Given = { options: Option[]; urls: Word[] };

/** The most options of one command. */
const maxOptions = 200;

/** Reads the words behind `curl` as curl does. `--opt=value` is taken, too. What follows `--next` is another request. */
export const readOptions = (words: readonly Word[], findings: Findings): Given => {
  const options: Option[] = [];
  const urls: Word[] = [];
  let afterUnknown = false;
  let onlyUrls = false;
  const doubtful: Word[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (!word) break;
    const { text, at } = word;
    if (onlyUrls || !text.startsWith('-') || text === '-') {
      (afterUnknown ? doubtful : urls).push(word);
      afterUnknown = false;
      continue;
    }
    afterUnknown = false;
    if (text === '--') {
      onlyUrls = true;
      continue;
    }
    const read = text.startsWith('--') ? readLong(word) : readCluster(word);
    for (const { name, written, value } of read) {
      const takes = takesValue(name);
      if (takes === undefined) {
        findings.note(written, 'is not a known option, and is left out');
        afterUnknown = value === undefined;
        continue;
      }
      if (name === 'next') {
        findings.note(written, 'begins another request, which is left out: a block sends one');
        return { options, urls: urls.length > 0 ? urls : doubtful };
      }
      if (options.length === maxOptions) {
        findings.problem(at, `has more than ${maxOptions} options`);
        return { options, urls };
      }
      const given = takes ? (value ?? words[(index += 1)]?.text) : '';
      if (given === undefined) findings.problem(at, `has nothing after ${written}, which needs a value`);
      else options.push({ name, written, value: given, at });
      const said = sayings.get(name);
      if (said !== undefined) findings.note(written, said);
      const refused = refusals.get(name);
      if (refused !== undefined) findings.problem(at, `has ${written}, which ${refused}`);
    }
  }
  const named = options.flatMap(({ name, value, at }) => (name === 'url' ? [{ text: value, at }] : []));
  const all = [...urls, ...named].sort((one, other) => one.at - other.at);
  return { options, urls: all.length > 0 ? all : doubtful };
};

type Read = { name: string; written: string; value: string | undefined };

const readLong = ({ text }: Word): Read[] => {
  const equals = text.indexOf('=');
  const written = (equals < 0 ? text : text.slice(0, equals)).slice(0, 60);
  return [{ name: written.slice(2), written, value: equals < 0 ? undefined : text.slice(equals + 1) }];
};

/** Short options may stand together; the rest of the word is the value of the first that takes one. */
const readCluster = ({ text }: Word): Read[] => {
  const read: Read[] = [];
  for (let index = 1; index < text.length && read.length < 20; index += 1) {
    const letter = text[index] ?? '';
    const name = longNames.get(letter);
    const rest = text.slice(index + 1);
    if (name === undefined)
      return [...read, { name: '', written: `-${letter}`, value: rest === '' ? undefined : rest }];
    const takes = takesValue(name) === true;
    read.push({ name, written: `-${letter}`, value: takes && rest !== '' ? rest : undefined });
    if (takes) break;
  }
  return read;
};
