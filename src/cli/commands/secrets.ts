import type { Command } from 'commander';
import { RequestError } from '../../shared/errors.ts';
import { showId } from '../../shared/ids.ts';
import { openSecrets } from '../../shared/platform/secrets/master-key.ts';
import {
  beginKeyFileRotation,
  forgetPreviousKeyFile,
  resealAll,
  rotatingAlone,
  total,
} from '../../shared/platform/secrets/rotate.ts';
import type { Secrets } from '../../shared/platform/secrets/seal.ts';
import { countSealed, showRow, type SealedCount, type SealedPlace } from '../../shared/platform/secrets/sealed-rows.ts';
import { table, type Answer, type Columns } from '../answer.ts';
import type { CommandDeps } from '../command-deps.ts';
import type { Installation } from '../installation.ts';

/** parley secrets rotate | status | forget */
export const secretCommands = (program: Command, deps: CommandDeps): void => {
  const secrets = program.command('secrets').description('the master key and the secrets that it seals');
  secrets
    .command('rotate')
    .description('seal all secrets with MASTER_KEY, or with a new key if MASTER_KEY is not set')
    .action(deps.answer(() => withSecrets(deps, rotate)));
  secrets
    .command('status')
    .description('count sealed secrets by key; exit code 1 while an older key is needed')
    .action(deps.answer(() => withSecrets(deps, status)));
  secrets
    .command('forget')
    .description('remove the previous key file once no secret needs it')
    .action(deps.answer(() => withSecrets(deps, forget)));
};

type Opened = Installation & { secrets: Secrets };

const withSecrets = ({ useInstallation }: CommandDeps, work: (opened: Opened) => Promise<Answer>): Promise<Answer> =>
  useInstallation(async ({ config, db }) => work({ config, db, secrets: await openSecrets(config) }));

const rotate = ({ config, db, secrets }: Opened): Promise<Answer> =>
  rotatingAlone(db, async () => {
    const deps = { sql: db, secrets };
    const newKey = config.masterKey === undefined && (await beginKeyFileRotation(deps, config.dataDir));
    const { count, failed } = await resealAll(deps);
    const counts = await countSealed(db, secrets.keys);
    return {
      document: { new_key: newKey, resealed: count, failed: failed.map(showPlace), ...show(secrets, counts) },
      text: `${newKey ? 'A new key is in use. ' : ''}Resealed: ${count}.\n\n${describe(counts)}${describeFailed(failed)}`,
      failed: failed.length > 0 || needsAnother(counts),
    };
  });

const status = async ({ db, secrets }: Opened): Promise<Answer> => {
  const counts = await countSealed(db, secrets.keys);
  return { document: show(secrets, counts), text: describe(counts), failed: needsAnother(counts) };
};

const forget = ({ config, db, secrets }: Opened): Promise<Answer> =>
  rotatingAlone(db, async () => {
    if (config.masterKey !== undefined) {
      throw new RequestError('conflict', 'The keys are in the environment. Remove MASTER_KEY_PREVIOUS there.');
    }
    const forgotten = await forgetPreviousKeyFile({ sql: db, secrets }, config.dataDir);
    return { document: { forgotten }, text: forgotten ? 'The previous key is removed.' : 'There is no previous key.' };
  });

const needsAnother = (counts: readonly SealedCount[]): boolean => {
  const { previous, unknown } = total(counts);
  return previous + unknown > 0;
};

/** The key's id is the beginning of its hash: enough to tell keys apart, and no help in finding one. */
const show = (secrets: Secrets, counts: readonly SealedCount[]) => ({
  key: secrets.keys.current().id.toString('hex'),
  sealed_with: total(counts),
});

const describe = (counts: readonly SealedCount[]): string =>
  table(
    { 'SEALED WITH': 'table', 'CURRENT KEY': 'current', 'PREVIOUS KEY': 'previous', 'NO KEY GIVEN': 'unknown' },
    counts,
  );

const showPlace = (place: SealedPlace) => ({
  table: place.table,
  account: showId('account', place.accountId),
  id: showRow(place),
});

const describeFailed = (failed: readonly SealedPlace[]): string => {
  if (failed.length === 0) return '';
  const columns: Columns<ReturnType<typeof showPlace>> = { TABLE: 'table', ACCOUNT: 'account', ID: 'id' };
  return `\n\nDamaged: these do not open with the key they name. They were left unchanged.\n${table(columns, failed.map(showPlace))}`;
};
