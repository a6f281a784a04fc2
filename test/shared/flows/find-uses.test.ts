import { expect, test } from 'vitest';
import { createContact } from '../../../src/shared/contacts/queries.ts';
import { findUses, lockUses, requireUnused } from '../../../src/shared/flows/find-uses.ts';
import { showId } from '../../../src/shared/ids.ts';
import { useApi } from '../../helpers/api.ts';
import { aContact } from '../../helpers/builders.ts';
import { untilSomebodyWaits } from '../../helpers/database.ts';
import { endOpenRun, insertFlowByUses, insertOpenRun } from '../../helpers/states/flows.ts';

const { db, deps, createAccount } = await useApi();
const { accountId } = await createAccount();
const contact = await deps.transact((tx) => createContact(tx, accountId, aContact()));

const use = ['field:size'];

test.for([
  ['a draft', { status: 'draft', draftUses: use }, { inDraft: true }],
  ['the draft of a live flow', { status: 'live', draftUses: use, versions: [[]] }, { inDraft: true }],
  ['the version in force', { status: 'live', versions: [[], use] }, { isLive: true }],
  ['the version of a paused flow', { status: 'paused', versions: [use] }, { isLive: true }],
  ['an earlier version', { status: 'live', versions: [use, []] }, undefined],
  ['an archived flow', { status: 'archived', draftUses: use, versions: [use] }, undefined],
  ['another key that begins alike', { status: 'draft', draftUses: ['field:size_2'] }, undefined],
] as const)('what a flow needs is found in %s, or not needed any more', async ([, flow, expected]) => {
  const { accountId: own } = await createAccount();
  const flowId = await insertFlowByUses(db, { ...structuredClone<object>(flow), accountId: own, status: flow.status });
  const found = await findUses(db, own, 'field:size');
  const nowhere = { flowId, flowName: 'Shirts', inDraft: false, isLive: false, openVersions: [] };
  expect(found).toEqual(expected ? [{ ...nowhere, ...expected }] : []);
  expect(await findUses(db, accountId, 'field:size')).toEqual([]);
});

test('an earlier version, and one of an archived flow, is needed as long as a contact is in it', async () => {
  const flowId = await insertFlowByUses(db, { accountId, status: 'archived', versions: [['tag:vip'], []] });
  const run = await insertOpenRun(db, { accountId, contactId: contact.id, flowId, version: 1 });
  expect(await findUses(db, accountId, 'tag:VIP')).toMatchObject([{ flowId, isLive: false, openVersions: [1] }]);
  await endOpenRun(db, run);
  expect(await findUses(db, accountId, 'tag:VIP')).toEqual([]);
});

test('a deletion is refused with 409 that names each flow and where in it, oldest first', async () => {
  const one = await insertFlowByUses(db, { accountId, name: 'One', status: 'live', draftUses: use, versions: [use] });
  const two = await insertFlowByUses(db, { accountId, name: 'Two "2"', status: 'draft', draftUses: use });
  await expect(requireUnused(db, accountId, { needed: 'field:size', what: 'The field size' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'The field size is used by flows: details say which.',
    details: [
      { path: showId('flow', one), message: '"One": its draft, its published version' },
      { path: showId('flow', two), message: '"Two \\"2\\"": its draft' },
    ],
  });
  await requireUnused(db, accountId, { needed: 'field:colour', what: 'The field colour' });
});

test('whoever deletes waits for a flow that is being published, and sees what it needs', async () => {
  const { accountId: own } = await createAccount();
  const publishing = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const publish = db.begin(async (sql) => {
    await lockUses(sql, own);
    locked.resolve();
    await publishing.promise;
    await insertFlowByUses(sql, { accountId: own, status: 'live', versions: [use] });
  });
  await locked.promise;
  const found = db.begin((sql) => findUses(sql, own, 'field:size'));
  await untilSomebodyWaits(db);
  publishing.resolve();
  await publish;
  expect(await found).toMatchObject([{ isLive: true }]);
});
