import { expect, vi } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import type { Bot } from '../helpers/telegram/bots.ts';
import type { Tally } from './ledger.ts';
import { comparePages } from './pages.ts';
import { patienceMs } from './patience.ts';
import { createColleague } from './colleague.ts';
import type { Person } from './people.ts';
import { openShop } from './shop.ts';

/** What each person says, and what a flow and a colleague say to them. */
type Course = { said: readonly string[]; flow: readonly string[]; colleague: readonly string[] };

const asks = 'Which size?';
const says = 'You chose it.';

/** Each waits for the answer before they say the next thing. */
export const inTurn: Course = { said: ['order', 'M'], flow: [asks, says], colleague: [] };

/** Nobody waits for anybody. */
export const allAtOnce: Course = {
  said: ['order', 'M', 'Thanks.', 'How long does it take?', 'I am in a hurry.'],
  flow: [asks, says],
  colleague: ['Hello!', 'I look it up.', 'It takes two days.'],
};

export type Talks = {
  accountId: string;
  bot: Bot;
  /** Has everybody say all of it; resolves when that is accepted. */
  talk: () => Promise<void>;
  /** Has the colleague say all of it in every conversation; resolves when that is accepted. `talk` does so too. */
  answer: () => Promise<void>;
  /** How many messages people are to be told. */
  due: number;
  /** How many messages of people are taken so far. */
  countSaid: () => Promise<number>;
  /** How many messages people have been told so far. */
  countHeard: () => Promise<number>;
  /** Rejects for whatever must never be: something missing, twice, or out of order. */
  settle: () => Promise<{ tally: Tally; unknown: number }>;
  close: () => void;
};

/** A message as the table has it. */
type Row = {
  id: string;
  person: string;
  direction: 'inbound' | 'outbound';
  author: keyof Course;
  text: string;
  status: string | null;
};

type Options = { visitors: number; users: number; course: Course };

/** So many visitors of a webchat, half of whom run the widget, and so many users of Telegram. */
export const createTalks = async (
  installed: Parameters<typeof openShop>[0],
  { visitors, users, course }: Options,
): Promise<Talks> => {
  const { db, service } = installed;
  const shop = await openShop(installed, { visitors, users, asks, says });
  const { accountId, apiKey, bot, people } = shop;
  const colleague = createColleague(service, apiKey);
  const due = people.length * (course.flow.length + course.colleague.length);

  const readTable = () => db<Row[]>`
    select m.id, i.external_id as person, m.direction, m.text, o.status,
      case when o.message_id is null then 'said' when o.run_id is null then 'colleague' else 'flow' end as author
    from messages m join contact_identities i on i.contact_id = m.contact_id and i.channel_id = m.channel_id
    left join outbound_messages o on o.message_id = m.id where m.account_id = ${accountId} order by m.id`;

  /** Whether somebody has been told so much, or the answer to it was lost, so that nobody knows. */
  const isTold = async (person: Person, count: number): Promise<boolean> => {
    const heard = await person.heard().catch(() => []);
    if (heard.length >= count) return true;
    if (person.externalId === undefined) return false;
    const rows = await readTable().catch(() => []);
    const ended = rows.filter((row) => row.person === person.externalId && /sent|unknown/.test(row.status ?? ''));
    return ended.length >= count;
  };

  /** The rows of each person in the order of `people`, once all is said and nothing waits to be sent. */
  const readAllSaid = async (): Promise<Row[][]> => {
    const all = due + people.length * course.said.length;
    const isOver = async () => {
      const rows = await readTable().catch(() => []);
      return rows.length >= all && rows.every(({ status }) => status !== 'queued') && rows;
    };
    const rows = await vi.waitUntil(isOver, { timeout: patienceMs, interval: 100 });
    const ofPeople = Map.groupBy(rows, ({ person }) => person);
    expect(ofPeople.size).toBe(people.length);
    const byPage = async ({ pages }: Person) => {
      const shown = new Set((await pages()).flat().map(({ id }) => id));
      return [...ofPeople.values()].filter(([first]) => first && shown.has(showId('message', first.id)))[0];
    };
    return Promise.all(
      people.map(
        async (person) =>
          (person.externalId === undefined ? await byPage(person) : ofPeople.get(person.externalId)) ?? [],
      ),
    );
  };

  const talkInTurn = async (person: Person): Promise<void> => {
    for (const [index, text] of course.said.entries()) {
      await person.say(text);
      await vi.waitUntil(() => isTold(person, index + 1), { timeout: patienceMs, interval: 500 });
    }
  };
  const talkAtOnce = async ({ say, isHeard }: Person): Promise<void> => {
    for (const text of course.said) await say(text);
    await vi.waitUntil(isHeard, { timeout: patienceMs, interval: 100 });
  };

  const answer = () => colleague.answer(people.length, course.colleague);

  return {
    accountId,
    bot,
    due,
    answer,
    talk: async () => {
      const answered = course.colleague.length > 0 && answer();
      await Promise.all(people.map(course === inTurn ? talkInTurn : talkAtOnce));
      await answered;
    },
    countSaid: async () => (await readTable()).filter(({ author }) => author === 'said').length,
    countHeard: async () => (await readTable()).filter(({ status }) => status === 'sent').length,
    settle: async () => {
      const all = await readAllSaid();
      const counts = { delivered: 0, came: 0, unknown: 0 };
      for (const [index, person] of people.entries()) {
        const rows = all[index] ?? [];
        const by = (wanted: keyof Course) => rows.flatMap(({ author, text }) => (author === wanted ? [text] : []));
        expect({ said: by('said'), flow: by('flow'), colleague: by('colleague') }).toEqual(course);
        if (course === inTurn) expect(rows.map(({ text }) => text)).toEqual(['order', asks, 'M', says]);
        await comparePages(person, rows);
        const texts = await person.heard();
        const lost = rows.flatMap(({ status, text }) => (status === 'unknown' && !texts.includes(text) ? [text] : []));
        // What is unknown has arrived once, or not at all.
        for (const said of [course.flow, course.colleague]) {
          expect(texts.filter((text) => said.includes(text))).toEqual(said.filter((text) => !lost.includes(text)));
        }
        counts.delivered += new Set(texts).size;
        counts.came += texts.length;
        counts.unknown += lost.length;
      }
      const { delivered, came, unknown } = counts;
      const lost = due - delivered - unknown;
      return { tally: { accepted: due, delivered, lost, sentAgain: came - delivered, lastAtMs: Date.now() }, unknown };
    },
    close: shop.close,
  };
};
