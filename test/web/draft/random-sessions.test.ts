import * as fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { aFlowDefinition, flowCalls } from '../../helpers/flows.ts';
import { startCuttingProxy, type Fate } from '../helpers/cutting-proxy.ts';
import { readKept } from '../helpers/kept-drafts.ts';
import { useWeb } from '../helpers/web.ts';

const { api, web } = await useWeb();

/** How many sessions are tried: `DRAFT_BROWSER_SESSIONS=20` before a change of the model is sent. */
const numRuns = Number(process.env['DRAFT_BROWSER_SESSIONS'] ?? 2);

// Requests that the proxy cuts off are no fault of the page.
afterEach(() => {
  const others = web.complaints().filter((text) => !/ERR_|EventSource/.test(text));
  if (others.length > 0) throw new Error(others.join('\n'));
});

const blocks = [0, 1, 2];

const begun = aFlowDefinition({
  blocks: blocks.map((place) => ({ id: `b${place}`, type: 'send', note: `n${place}` })),
});

const fates: fc.Arbitrary<Fate> = fc.record({
  waitMs: fc.nat(400),
  cut: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('request' as const, 'answer' as const) },
  ),
});

type Action = { does: 'write' | 'reload' | 'choose'; page: 0 | 1; block: number };

const actions: fc.Arbitrary<Action> = fc.record({
  does: fc.oneof(
    { weight: 6, arbitrary: fc.constant('write' as const) },
    { weight: 1, arbitrary: fc.constantFrom('reload' as const, 'choose' as const) },
  ),
  page: fc.constantFrom(0, 1),
  block: fc.constantFrom(...blocks),
});

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'The draft as JSON' });
const lineOf = (page: Page, block: number) => editorOf(page).locator('.cm-line', { hasText: '"note"' }).nth(block);
const noteIn = (line: string): string => /"note": "([^"]*)"/.exec(line)?.[1] ?? '';

/** Waits for the draft, which is asked for again where that was cut off. */
const ready = async (page: Page): Promise<void> => {
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await expect
    .poll(async () => {
      if ((await again.count()) > 0) await again.first().click();
      return lineOf(page, 2).count();
    })
    .toBe(1);
};

/** Loads a page again once it has kept what was typed last: killing it may cost a second. */
const reload = async (page: Page, last: string | undefined): Promise<void> => {
  if (last !== undefined) await expect.poll(() => readKept(page)).toContain(last);
  await page.reload();
};

/** Writes over the note of one block in one go, as somebody does who pastes, and leaves the rest alone. Answers what stood there. */
const write = async (page: Page, block: number, note: string): Promise<string> => {
  const before = await page.evaluate<string>(`(() => {
    const line = [...document.querySelectorAll('.cm-line')].filter(({ textContent }) => textContent.includes('"note"'))[${block}];
    const text = line.textContent;
    line.closest('.cm-content').focus();
    getSelection().selectAllChildren(line);
    document.execCommand('insertText', false, text.replace(/"note": "[^"]*"/, '"note": "${note}"'));
    return text;
  })()`);
  return noteIn(before);
};

/** Keeps the version of this page of whatever it asks about. Answers what is given up. */
const choose = async (page: Page): Promise<string[]> => {
  const open = page.getByRole('button', { name: 'Choose versions' });
  if ((await open.count()) === 0) return [];
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Choose a version' });
  const givenUp: string[] = [];
  while ((await dialog.getByRole('button', { name: /^Keep (?:mine|this tab)$/ }).count()) > 0) {
    const cells = await dialog.getByRole('row').nth(1).getByRole('cell').allTextContents();
    givenUp.push(cells[2] ?? '');
    await dialog
      .getByRole('button', { name: /^Keep (?:mine|this tab)$/ })
      .first()
      .click();
  }
  await dialog.waitFor({ state: 'detached' });
  return givenUp;
};

test(
  'two browsers over a slow, cutting network lose nothing of what is typed',
  { timeout: numRuns * 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(actions, { minLength: 6, maxLength: 14, size: 'max' }),
        fc.array(fates, { minLength: 10, maxLength: 40, size: 'max' }),
        async (session, network) => {
          const account = await api.createAccount();
          const { create, draft } = flowCalls(api, account);
          const { id } = await create(begun);
          let isCalm = false;
          const proxy = await startCuttingProxy(api.url, (_, path) =>
            isCalm || !path.endsWith('/draft')
              ? { waitMs: 0, cut: undefined }
              : (network.shift() ?? { waitMs: 50, cut: undefined }),
          );
          const open = async () => {
            const page = await web.open('/flows', { session: account.session });
            await page.goto(`${proxy.url}/flows/${id}?tab=json`);
            return page;
          };
          const pages = [await open(), await open()] as const;
          const written = new Set<string>();
          const replaced = new Set<string>();
          const latest = new Map<Page, string>();
          for (const [count, { does, page: which, block }] of session.entries()) {
            const page = pages[which];
            await ready(page);
            if (does === 'reload') await reload(page, latest.get(page));
            else if (does === 'choose') for (const note of await choose(page)) replaced.add(note);
            else if ((await lineOf(page, block).count()) > 0) {
              const note = `w${count}`;
              replaced.add(await write(page, block, note));
              written.add(note);
              latest.set(page, note);
              await lineOf(page, block).filter({ hasText: note }).waitFor();
            }
          }
          isCalm = true;
          for (let round = 0; round < 3; round += 1)
            for (const page of pages) {
              await ready(page);
              await expect
                .poll(async () => {
                  for (const note of await choose(page)) replaced.add(note);
                  return page.getByRole('status', { name: 'State of the draft' }).textContent();
                })
                .toBe('Saved');
            }
          const end = JSON.stringify((await draft(id)).body.definition);
          // A page that is left does not ask for its stream again.
          for (const page of pages) await page.goto(`${api.url}/flows`);
          await proxy.stop();
          expect([...written].filter((note) => !end.includes(`"${note}"`) && !replaced.has(note))).toEqual([]);
        },
      ),
      { numRuns, endOnFailure: true },
    );
  },
);
