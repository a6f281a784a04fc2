import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newUuid } from '../../../src/shared/ids.ts';
import { createMediaLinks } from '../../../src/shared/media/links.ts';
import { createSecrets } from '../../../src/shared/platform/secrets/seal.ts';

const key = randomBytes(32);
const id = newUuid();

const linksAt = (at: { ms: number }, secrets = createSecrets(key)) =>
  createMediaLinks(secrets, { baseUrl: 'https://parley.example', now: () => at.ms });

const givenBy = (url: string) => {
  const { searchParams } = new URL(url);
  return { expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' };
};

test('a link holds for an hour at least, and is the same for a quarter of an hour', () => {
  const at = { ms: Date.UTC(2026, 10, 27, 7, 0, 1) };
  const { linkTo, secondsLeft } = linksAt(at);
  const file = { id, name: 'a b.png', hasThumbnail: true };
  const { url, thumbnail } = linkTo(file);
  expect(thumbnail).toBe(`${url}&size=thumbnail`);
  at.ms += 14 * 60_000;
  expect(linkTo(file).url).toBe(url);
  at.ms += 46 * 60_000;
  expect(secondsLeft(id, givenBy(url))).toBeGreaterThan(0);
  at.ms += 15 * 60_000;
  expect(secondsLeft(id, givenBy(url))).toBeUndefined();
});

test('a link that a flow gives away holds for a day at least, and no longer than 15 minutes more', () => {
  const at = { ms: Date.UTC(2026, 10, 27, 7, 0, 1) };
  const { lastingLinkTo, secondsLeft } = linksAt(at);
  const given = givenBy(lastingLinkTo({ id, name: 'a', hasThumbnail: false }).url);
  at.ms += 24 * 3_600_000;
  expect(secondsLeft(id, given)).toBeGreaterThan(0);
  at.ms += 15 * 60_000;
  expect(secondsLeft(id, given)).toBeUndefined();
});

test('a link opens while its master key is being replaced, and never by another one', () => {
  const at = { ms: Date.UTC(2026, 10, 27, 7) };
  const given = givenBy(linksAt(at).linkTo({ id, name: 'a', hasThumbnail: false }).url);
  expect(linksAt(at, createSecrets(randomBytes(32), key)).secondsLeft(id, given)).toBeGreaterThan(0);
  expect(linksAt(at, createSecrets(randomBytes(32))).secondsLeft(id, given)).toBeUndefined();
  expect(linksAt(at).secondsLeft(newUuid(), given)).toBeUndefined();
});
