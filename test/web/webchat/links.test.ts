import { expect, test } from 'vitest';
import { aPicture, aWave } from '../../helpers/files.ts';
import { endBrowser, visit, type Visit } from '../helpers/webchat/site.ts';

/** Links to files hold for an hour or a little more; a chat may be on the screen for a day. */
endBrowser();

const linkOf = (name: string, version: number) => `https://files.example/${name}?expires=${version}`;

const fileOf = (name: string, type: string) => ({ id: `med_${name}`, type, name, size: 2_000, url: linkOf(name, 1) });

type Files = Visit & {
  /** What browsers have asked for of the files. */
  loaded: string[];
  /** Pages of messages that were asked for, other than what has changed. */
  pages: () => number;
  /** From now on the server makes these links. */
  makeLinks: (version: number) => void;
  /** Links that answer with an error. */
  expired: Set<string>;
};

/** A visitor who has written once, in a chat with a clock of its own. */
const visitWithFiles = async (): Promise<Files> => {
  const visited = await visit();
  const { page, context, double, launcher, panel, write } = visited;
  const loaded: string[] = [];
  const expired = new Set<string>();
  const [picture, wave] = [await aPicture(), aWave()];
  await context.route('https://files.example/**', (route) => {
    const url = route.request().url();
    loaded.push(url);
    if (expired.has(url)) return route.fulfill({ status: 403, body: '' });
    const [contentType, body] = url.includes('.wav')
      ? (['audio/wav', wave] as const)
      : (['image/png', picture] as const);
    return route.fulfill({ contentType, body });
  });
  let pages = 0;
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/changes') && !searchParams.has('after')) pages += 1;
  });
  await page.clock.install();
  await page.reload();
  await launcher.click();
  await write('Hello');
  await panel.getByText(/Sent$/).waitFor();
  await expect.poll(() => double.streamsOf(double.table.only())).toBe(1);
  pages = 0;
  return {
    ...visited,
    loaded,
    expired,
    pages: () => pages,
    makeLinks: (version) => {
      for (const row of double.table.only().rows) {
        row.attachments = row.attachments.map((attachment) => {
          const { name } = attachment as { name: string };
          return { ...(attachment as object), url: linkOf(name, version) };
        });
      }
    },
  };
};

/** Says a message with files, which the visitor sees. */
const show = async ({ double, panel }: Files, text: string, attachments: object[]): Promise<void> => {
  double.table.say(double.table.only(), { text, attachments });
  await panel.getByText(text).waitFor();
  await expect.poll(() => double.table.only().rows.at(-1)?.read_at ?? null).not.toBe(null);
};

test('links of a chat that stays open are renewed in time, by a request an hour, and no image loads again', async () => {
  const visited = await visitWithFiles();
  const { page, panel, loaded } = visited;
  await show(visited, 'All of it', [fileOf('photo.png', 'image'), fileOf('receipt.pdf', 'file')]);
  const image = panel.getByRole('img', { name: 'photo.png' });
  await expect.poll(() => image.evaluate((img: { naturalWidth: number }) => img.naturalWidth)).toBeGreaterThan(0);
  const receipt = panel.getByRole('link', { name: /receipt/ });
  visited.makeLinks(2);
  await page.clock.fastForward('00:49:00');
  expect(await receipt.getAttribute('href')).toBe(linkOf('receipt.pdf', 1));
  expect(visited.pages()).toBe(0);
  await page.clock.fastForward('00:01:30');
  await expect.poll(() => receipt.getAttribute('href')).toBe(linkOf('receipt.pdf', 2));
  expect(await panel.locator('a.image').getAttribute('href')).toBe(linkOf('photo.png', 2));
  visited.makeLinks(3);
  await page.clock.fastForward('00:49:00');
  expect(await receipt.getAttribute('href')).toBe(linkOf('receipt.pdf', 2));
  await page.clock.fastForward('00:01:30');
  await expect.poll(() => receipt.getAttribute('href')).toBe(linkOf('receipt.pdf', 3));
  expect(visited.pages()).toBe(2);
  expect(loaded).toEqual([linkOf('photo.png', 1)]);
});

test('a file that somebody opens while its link is renewed opens by the new one, once', async () => {
  const visited = await visitWithFiles();
  const { page, context, double, panel } = visited;
  await show(visited, 'All of it', [fileOf('receipt.png', 'file')]);
  visited.makeLinks(2);
  const held = Promise.withResolvers<void>();
  double.setFate((_, route) => (route === 'changes' ? { until: held.promise } : {}));
  await page.clock.fastForward('02:00:00');
  await expect.poll(() => visited.pages()).toBe(1);
  const opened = context.waitForEvent('page');
  const receipt = panel.getByRole('link', { name: /receipt/ });
  await receipt.click();
  held.resolve();
  expect((await opened).url()).toBe(linkOf('receipt.png', 2));
  expect(context.pages()).toHaveLength(2);
});

test('where links cannot be renewed they are tried again after a minute, and open as they are meanwhile', async () => {
  const visited = await visitWithFiles();
  const { page, context, double, panel } = visited;
  await show(visited, 'All of it', [fileOf('receipt.png', 'file')]);
  visited.makeLinks(2);
  double.setFate((_, route) => (route === 'changes' ? { status: 500 } : {}));
  await page.clock.fastForward('02:00:00');
  await expect.poll(() => visited.pages()).toBe(1);
  await page.clock.fastForward('00:00:30');
  const opened = context.waitForEvent('page');
  const receipt = panel.getByRole('link', { name: /receipt/ });
  await receipt.click();
  expect((await opened).url()).toBe(linkOf('receipt.png', 1));
  await page.bringToFront();
  expect(visited.pages()).toBe(1);
  double.setFate(() => ({}));
  await page.clock.fastForward('00:00:31');
  await expect.poll(() => receipt.getAttribute('href')).toBe(linkOf('receipt.png', 2));
  expect(visited.pages()).toBe(2);
});

test('an image whose link has expired before it was shown is drawn by a new one', async () => {
  const visited = await visitWithFiles();
  const { page, double, panel, launcher, expired } = visited;
  await show(visited, 'The first', [fileOf('first.png', 'image')]);
  const naturalWidth = (name: string) => () =>
    panel.getByRole('img', { name }).evaluate((img: { naturalWidth: number }) => img.naturalWidth);
  await expect.poll(naturalWidth('first.png')).toBeGreaterThan(0);
  await launcher.click();
  double.table.say(double.table.only(), { text: 'The second', attachments: [fileOf('second.png', 'image')] });
  await page.getByRole('button', { name: /1 unread/ }).waitFor();
  await page.clock.fastForward('00:02:00');
  visited.makeLinks(2);
  expired.add(linkOf('second.png', 1));
  await launcher.click();
  await expect.poll(naturalWidth('second.png')).toBeGreaterThan(0);
  expect(await panel.getByRole('img', { name: 'second.png' }).getAttribute('src')).toBe(linkOf('second.png', 2));
  expect(visited.pages()).toBe(1);
});

test('a recording that is played goes on when its link is renewed, and has the new one once it stops', async () => {
  const visited = await visitWithFiles();
  const { page, panel } = visited;
  await show(visited, 'Listen', [fileOf('note.wav', 'audio'), fileOf('receipt.pdf', 'file')]);
  const player = panel.locator('audio');
  type Player = { loop: boolean; muted: boolean; paused: boolean; play: () => Promise<void>; pause: () => void };
  await player.evaluate(async (audio: Player) => {
    audio.loop = true;
    audio.muted = true;
    await audio.play();
  });
  visited.makeLinks(2);
  await page.clock.fastForward('00:51:00');
  await expect.poll(() => panel.getByRole('link', { name: /receipt/ }).getAttribute('href')).toContain('expires=2');
  expect(await player.evaluate((audio: Player) => audio.paused)).toBe(false);
  expect(await player.getAttribute('src')).toBe(linkOf('note.wav', 1));
  await player.evaluate((audio: Player) => audio.pause());
  await expect.poll(() => player.getAttribute('src')).toBe(linkOf('note.wav', 2));
});

test('links of a long thread are renewed by a request for 50 messages, and those of gone messages once', async () => {
  const visited = await visitWithFiles();
  const { page, double, panel } = visited;
  const visitor = double.table.only();
  for (let nth = 1; nth < 120; nth += 1)
    double.table.say(visitor, { text: `No. ${nth}`, attachments: [fileOf(`file-${nth}.pdf`, 'file')] });
  await show(visited, 'The last', [fileOf('last.pdf', 'file')]);
  visitor.rows.splice(10, 5);
  visited.makeLinks(2);
  await page.clock.fastForward('00:51:00');
  await expect.poll(() => panel.locator('a.file[href$="expires=2"]').count()).toBe(115);
  expect(await panel.locator('a.file').count()).toBe(120);
  expect(visited.pages()).toBe(3);
  await page.clock.fastForward('00:45:00');
  expect(visited.pages()).toBe(3);
});
