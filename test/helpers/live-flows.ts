import { saveDraft } from '../../src/shared/flows/drafts.ts';
import { createFlow, getFlow } from '../../src/shared/flows/manage.ts';
import { publishFlow } from '../../src/shared/flows/publish.ts';
import type { DraftDefinition } from '../../src/shared/flows/schema.ts';
import type { Database } from '../../src/shared/platform/db/connect.ts';
import { aDefinition } from './definitions.ts';
import { untold } from './untold.ts';

export type FlowBlocks = readonly ({ id: string; type: string } & Record<string, unknown>)[];

/** A live flow of these blocks; answers its UUID. */
export const aFlow = async (
  db: Database,
  accountId: string,
  { blocks, ...rest }: { blocks: FlowBlocks; triggers?: readonly object[]; reentry?: string },
): Promise<string> => {
  const definition: DraftDefinition = aDefinition(blocks, rest);
  const { id } = await createFlow(untold(db), accountId, { name: 'Welcome', definition });
  await db.begin((sql) =>
    publishFlow({ ...untold(sql), refuseUrl: () => undefined }, { accountId, id }).then(() => undefined),
  );
  return id;
};

/** The next version of a flow, of these blocks; answers its number. */
export const anotherVersion = async (
  db: Database,
  { accountId, flowId, blocks }: { accountId: string; flowId: string; blocks: FlowBlocks },
): Promise<number> => {
  const key = { accountId, id: flowId };
  await saveDraft(untold(db), key, { definition: aDefinition(blocks) });
  await db.begin((sql) => publishFlow({ ...untold(sql), refuseUrl: () => undefined }, key).then(() => undefined));
  return (await getFlow(db, key)).version ?? 0;
};
