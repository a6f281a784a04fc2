import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { roles, type Role } from '../../src/shared/accounts/schema.ts';
import { words as contactsWords } from '../../src/web/pages/contacts/words.ts';
import { words as shellWords } from '../../src/web/shell/words.ts';
import { commonWords } from '../../src/web/words/common.ts';
import { failureWords } from '../../src/web/words/failures.ts';
import { listAddresses, listUnknown, openAddresses } from './helpers/addresses.ts';
import { findBarriers } from './helpers/axe.ts';
import { startFurnishedAccount } from './helpers/furnished/account.ts';
import { aliveMark, asMarkup } from './helpers/furnished/wording.ts';
import { pages } from './helpers/page-list.ts';
import { createVisitors, type Visitor } from './helpers/visitors.ts';
import { useWebOf } from './helpers/web.ts';

const { api, sessions, values, stop } = await startFurnishedAccount(asMarkup);
const web = await useWebOf(api, stop);

const addresses = listAddresses(values);

/** Pages that show no name or text of the account. */
const withoutTexts = [
  '/profile',
  '/settings',
  '/settings/account',
  '/settings/users',
  '/settings/test-endpoint',
  '/first-steps',
];

/** Links of the navigation that lead to no page of their own in `pages.ts`. */
const besidePages = ['/conversations?state=handover', '/settings', '/docs'];

const wide = { width: 1280, height: 900 } as const;
const narrow = { width: 360, height: 740 } as const;

/** What lies to the right of a narrow screen. */
const overhanging = `[...document.querySelectorAll('main *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 5).map((element) => element.outerHTML.slice(0, 160))`;

const changeLooks = (page: Page, colorScheme: 'light' | 'dark', size: { width: number; height: number }) =>
  Promise.all([page.emulateMedia({ colorScheme }), page.setViewportSize(size)]);

/** What is wrong in light and wide, and what else in dark and narrow. Leaves the page. */
const findAllBarriers = async ({ page, settled, leave }: Visitor): Promise<string[]> => {
  const found = await findBarriers(page);
  await changeLooks(page, 'dark', narrow);
  await settled();
  found.push(...(await findBarriers(page, { onlyLooks: true })).map((barrier) => `dark, narrow: ${barrier}`));
  if ((await page.evaluate('document.documentElement.scrollWidth')) !== narrow.width)
    found.push(`scrolls sideways at ${narrow.width} px: ${String(await page.evaluate(overhanging))}`);
  // Otherwise all of the page would be drawn once more.
  await leave();
  await changeLooks(page, 'light', wide);
  return found;
};

/** Roles stand in the order of what they may do, the one that may most first. */
const mayAs = (role: Role, least: Role): boolean => roles.indexOf(role) <= roles.indexOf(least);

describe('each page has one heading, shows markup as text, has no barrier in light and dark, and fits a narrow screen', () => {
  const withVisitor = createVisitors(web, { session: sessions.owner });
  test.concurrent.for(addresses)('$title', async ({ address, entry, isFirst }, { expect }) => {
    await withVisitor(async (visitor) => {
      const { page, visit, goTo, complaints } = visitor;
      // Each page is loaded by its address once; another view or value of it is gone to.
      await (isFirst ? visit : goTo)(address);
      const main = page.getByRole('main');
      const headings = await main.getByRole('heading', { level: 1 }).allTextContents();
      expect(headings).toHaveLength(1);
      // Where conversations wait, their number comes first.
      expect((await page.title()).replace(/^\(\d+\) /, '')).toBe(`${headings[0]} · Parley`);
      expect(await main.getByText(failureWords.refused).count()).toBe(0);
      if (!withoutTexts.includes(entry.path)) expect(await main.innerText()).toContain(aliveMark);
      expect(await page.locator(`[${aliveMark}]`).count()).toBe(0);
      expect(await findAllBarriers(visitor)).toEqual([]);
      expect(complaints()).toEqual([]);
    });
  });
});

describe('each page of something that is not there has a heading, a title and a way back, and no barrier', () => {
  const withVisitor = createVisitors(web, { session: sessions.owner, lanes: 2 });
  test.concurrent.for(listUnknown(values))('$title', async ({ address }, { expect }) => {
    await withVisitor(async (visitor) => {
      const { page, goTo, complaints } = visitor;
      await goTo(address);
      const main = page.getByRole('main');
      expect(await main.getByText(failureWords.refused).count()).toBe(1);
      const headings = await main.getByRole('heading', { level: 1 }).allTextContents();
      expect(headings).toHaveLength(1);
      // Where conversations wait, their number comes first.
      expect((await page.title()).replace(/^\(\d+\) /, '')).toBe(`${headings[0]} · Parley`);
      expect(await main.locator('.above').getByRole('link').count()).toBeGreaterThan(0);
      expect(await findAllBarriers(visitor)).toEqual([]);
      expect(complaints()).toEqual([]);
    });
  });
});

describe('each page that is open to anyone has no barrier, and fits a narrow screen', () => {
  const withVisitor = createVisitors(web, { lanes: 1 });
  test.concurrent.for(openAddresses)('$title', async ({ address }, { expect }) => {
    await withVisitor(async (visitor) => {
      await visitor.visit(address);
      expect(await findAllBarriers(visitor)).toEqual([]);
      expect(visitor.complaints()).toEqual([]);
    });
  });
});

describe.for(['agent', 'editor'] as const)('an %s', (role) => {
  const withVisitor = createVisitors(web, { session: sessions[role], lanes: 2 });
  const once = addresses.filter(({ isFirst }) => isFirst);
  const shown = once.filter(({ entry }) => mayAs(role, entry.role));
  const refused = once.filter(({ entry }) => !mayAs(role, entry.role));

  test.concurrent.for(shown)('is shown $title without a refusal', async ({ address }, { expect }) => {
    await withVisitor(async ({ page, goTo, complaints }) => {
      await goTo(address);
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await page.getByText(failureWords.refused).count()).toBe(0);
      expect(complaints()).toEqual([]);
    });
  });

  test.concurrent.for(refused)('is told who may use $title', async ({ address, entry }, { expect }) => {
    await withVisitor(async ({ page, goTo, complaints }) => {
      await goTo(address);
      const needed = shellWords.needsRole(commonWords.roles[entry.role]);
      await page.getByRole('heading', { name: needed, level: 1 }).waitFor();
      expect(await page.title()).toBe(`${needed} · Parley`);
      const links = page.getByRole('navigation', { name: shellWords.navigation }).locator('a');
      const listed = pages.flatMap(({ path, nav, role: least }) =>
        nav && (nav.section !== 'settings' || entry.nav?.section === 'settings') && mayAs(role, least) ? [path] : [],
      );
      const shownPaths = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
      expect(new Set(shownPaths)).toEqual(new Set([...listed, ...besidePages]));
      expect(complaints()).toEqual([]);
    });
  });
});

test('by keyboard: the first stop leads past the navigation, and a dialog that is left gives its button the focus back', async () => {
  const page = await web.open('/contacts', { session: sessions.owner });
  const button = page.getByRole('button', { name: contactsWords.create }).first();
  await button.waitFor();
  const isFocused = (selector: string) => page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`);
  await page.keyboard.press('Tab');
  await expect.poll(() => isFocused('.skip-link')).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => isFocused('main')).toBe(true);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await expect.poll(() => isFocused('[role=dialog] *')).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(contactsWords.create);
  expect(web.complaints(page)).toEqual([]);
});

test('a time tells its UTC where it is pointed at, and where it has the focus', async () => {
  const page = await web.open('/contacts', { session: sessions.agent });
  const time = page.getByRole('main').locator('time').first();
  const told = page.getByRole('tooltip');
  const isTold = async () => told.filter({ hasText: (await time.getAttribute('datetime')) ?? '' }).isVisible();
  const isToldWherePointedAt = async () => {
    await page.mouse.move(0, 0);
    await time.hover();
    return isTold();
  };
  // A list that is read anew meanwhile may have another time there.
  await expect.poll(isToldWherePointedAt).toBe(true);
  await page.keyboard.press('Escape');
  await told.waitFor({ state: 'detached' });
  await time.focus();
  await expect.poll(isTold).toBe(true);
  await page.getByRole('searchbox').first().focus();
  await told.waitFor({ state: 'detached' });
  expect(web.complaints(page)).toEqual([]);
});
