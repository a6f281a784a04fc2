import { expect, test } from 'vitest';
import { createPresenceRegister, goneAfterMs, type Beat } from '../../../src/shared/presence/register.ts';

const ofAna: Beat = {
  accountId: 'shop',
  userId: 'ana',
  sessionId: 'session-of-ana',
  tab: 'tab-1',
  subject: 'flow_1',
  part: null,
  hasLeft: false,
};
const ofBen: Beat = { ...ofAna, userId: 'ben', sessionId: 'session-of-ben' };

const bounds = { ofSession: 2, ofSubject: 3, ofAccount: 4, ofProcess: 5 };

const subjectsOf = (places: readonly { subject: string }[]) => places.map(({ subject }) => subject);

test('a beat that changes nothing reaches nobody', () => {
  const { note } = createPresenceRegister();
  expect(note(ofAna)).toHaveLength(1);
  expect(note(ofAna)).toEqual([]);
  expect(note({ ...ofAna, part: 'stock' })).toHaveLength(1);
  expect(note({ ...ofAna, part: 'stock' })).toEqual([]);
  expect(note({ ...ofBen, hasLeft: true })).toEqual([]);
});

test('a session at too many subjects leaves the one it was at longest ago', () => {
  let nowMs = 0;
  const { note, listAt, placesOf } = createPresenceRegister({ bounds, now: () => nowMs });
  note(ofAna);
  nowMs = 1;
  note({ ...ofAna, subject: 'flow_2' });
  nowMs = 2;
  note(ofAna);
  expect(subjectsOf(note({ ...ofAna, subject: 'flow_3' }))).toEqual(['flow_2', 'flow_3']);
  expect(listAt({ accountId: 'shop', subject: 'flow_2' })).toEqual([]);
  expect(subjectsOf(placesOf('session-of-ana'))).toEqual(['flow_1', 'flow_3']);
});

test('a subject, an account and a process take nobody beyond their bounds, and keep those who are there', () => {
  const register = createPresenceRegister({ bounds });
  const come = (accountId: string, subject: string, who: string) =>
    register.note({ ...ofAna, accountId, subject, sessionId: who, userId: who }).length;
  expect([1, 2, 3].map((who) => come('shop', 'flow_1', `user-${who}`))).toEqual([1, 1, 1]);
  expect(come('shop', 'flow_1', 'user-4')).toBe(0);
  expect(come('shop', 'flow_2', 'user-4')).toBe(1);
  expect(come('shop', 'flow_2', 'user-5')).toBe(0);
  expect(come('other', 'flow_3', 'user-6')).toBe(1);
  expect(come('other', 'flow_3', 'user-7')).toBe(0);
  expect(register.size).toBe(5);
  expect(come('shop', 'flow_1', 'user-1')).toBe(0);
  expect(register.listAt({ accountId: 'shop', subject: 'flow_1' })).toHaveLength(3);
});

test('whoever sends no beat for 30 seconds is forgotten, once, with all that was kept', () => {
  let nowMs = 0;
  const register = createPresenceRegister({ now: () => nowMs });
  register.note(ofAna);
  nowMs = 10;
  register.note(ofBen);
  nowMs = goneAfterMs;
  expect(subjectsOf(register.forget())).toEqual(['flow_1']);
  expect(register.listAt(ofAna).map(({ userId }) => userId)).toEqual(['ben']);
  expect(register.forget()).toEqual([]);
  nowMs += 10;
  register.forget();
  expect(register.size).toBe(0);
  expect(register.placesOf(ofBen.sessionId)).toEqual([]);
});

test('people of two accounts at subjects of the same name are kept apart', () => {
  const { note, listAt } = createPresenceRegister();
  note(ofAna);
  note({ ...ofBen, accountId: 'other' });
  expect(listAt(ofAna).map(({ userId }) => userId)).toEqual(['ana']);
});

test('the inbox takes all whom the account may have, and tells each place of the account once', () => {
  const { note, placesIn } = createPresenceRegister({ bounds });
  const come = (who: number, subject = 'inbox') =>
    note({ ...ofAna, subject, sessionId: `${who}`, userId: `${who}` }).length;
  expect([1, 2, 3, 4, 5].map((who) => come(who))).toEqual([1, 1, 1, 1, 0]);
  expect(subjectsOf(placesIn('shop'))).toEqual(['inbox']);
  expect(placesIn('other')).toEqual([]);
});
