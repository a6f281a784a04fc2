import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { RequestError, type Problem } from '../../shared/errors.ts';
import { showId } from '../../shared/ids.ts';
import { channelKinds, limitsOf } from '../../shared/messages/channels/kinds.ts';
import { flowFile } from '../../shared/flows/file.ts';
import { exportFlow } from '../../shared/flows/export.ts';
import { importFlow, type Imported } from '../../shared/flows/import.ts';
import { publishFlow } from '../../shared/flows/publish.ts';
import { listFlows } from '../../shared/flows/queries.ts';
import { showFlow, type FlowRow } from '../../shared/flows/schema.ts';
import { refuseUrl } from '../../shared/platform/egress/urls.ts';
import { parseJson } from '../../shared/platform/json/parse-json.ts';
import { sayIssue } from '../../shared/platform/say-issue.ts';
import { fields, printable, type Answer } from '../answer.ts';
import { chooseAccount } from '../choose-account.ts';
import type { CommandDeps } from '../command-deps.ts';
import { addListCommand } from '../list-command.ts';
import { accountOption } from '../options.ts';
import { rowCommands, type RowInput } from '../row-commands.ts';
import { leaveToSweep } from '../leave-to-sweep.ts';

/** parley flows list | export | import | publish */
export const flowCommands = (program: Command, deps: CommandDeps): void => {
  const flows = program.command('flows').description('the flows of an account');
  addListCommand(flows, deps, {
    description: 'list flows, newest first',
    read: async ({ db }, accountId, { limit }) => (await listFlows(db, accountId, { limit })).map(showFlow),
    columns: {
      FLOW: 'id',
      NAME: 'name',
      STATUS: 'status',
      VERSION: 'version',
      DRAFT: ({ draft_changed }) => (draft_changed ? 'changed' : 'published'),
      UPDATED: 'updated_at',
    },
    none: 'No flows.',
  });
  const command = rowCommands(flows, deps, 'flow');
  const exporting: Command = command(
    'export',
    'print a draft as JSON for import: it names what it needs, and has no secrets except those in bodies',
    (row) => exportOne(row, exporting.opts<{ flowVersion?: number }>().flowVersion),
  );
  exporting.option('--flow-version <number>', 'print this version instead', readVersion);
  flows
    .command('import')
    .description('create a flow from an exported file, as a draft')
    .argument('<file>', 'its path')
    .addOption(accountOption())
    .action(deps.answer((path: string, { account }: { account?: string }) => importOne(deps, path, account)));
  command('publish', 'publish the draft of a flow; on errors, list them and exit with 1', publishOne);
};

const readVersion = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Must be a version number.');
  return Number(text);
};

const exportOne = async ({ db, scope, id }: RowInput, version: number | undefined): Promise<Answer> => {
  const file = await exportFlow(db, { accountId: scope.accountId, id }, { version, forAgent: false });
  return { document: file, text: JSON.stringify(file, null, 2) };
};

const importOne = ({ useInstallation }: CommandDeps, path: string, account: string | undefined): Promise<Answer> =>
  useInstallation(async ({ db }) => {
    const file = await readFlowFile(path);
    const { id: accountId } = await chooseAccount(db, account);
    return showImported(await leaveToSweep(db, (tx) => importFlow(tx, accountId, file)));
  });

const readFlowFile = async (path: string) => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`Cannot read the file ${path}`, { cause });
  });
  const parsed = flowFile.safeParse(readJson(text), { error: sayIssue });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  throw new RequestError('invalid_request', `This file is not an exported flow: ${problems.slice(0, 5).join('; ')}`);
};

const readJson = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    throw new RequestError('invalid_json', 'This file is not JSON.');
  }
};

const showImported = ({ flow, madeFields, missing }: Imported): Answer => {
  const told = missing.map(({ type, name, reason }) => `${type} ${printable(name)} (${reason.replace('_', ' ')})`);
  return {
    document: { flow: showFlow(flow), made: { fields: madeFields }, missing },
    text: fields({
      Flow: showId('flow', flow.id),
      Name: flow.name,
      'Fields created': madeFields.length > 0 ? madeFields.join(', ') : undefined,
      'To create or fill in': told.length > 0 ? told.join(', ') : undefined,
    }),
  };
};

const publishOne = async ({ config, db, scope, id }: RowInput): Promise<Answer> => {
  const refuse = (url: string) => refuseUrl(url, config.egressAllow);
  const key = { accountId: scope.accountId, id };
  try {
    const { flow, issues } = await leaveToSweep(db, ({ sql, tell }) =>
      publishFlow({ sql, tell, refuseUrl: refuse }, key, { limits: limitsOf(channelKinds) }),
    );
    return {
      document: { ...showFlow(flow), issues },
      text: [sayPublished(flow), ...issues.map(sayProblem)].join('\n'),
    };
  } catch (error) {
    if (!(error instanceof RequestError) || error.details === undefined) throw error;
    const { code, message, details } = error;
    return {
      document: { error: { code, message, details } },
      text: ['Not published. The draft has errors:', ...details.map(sayProblem)].join('\n'),
      failed: true,
    };
  }
};

const sayPublished = ({ name, version, status }: FlowRow): string =>
  `Version ${version} of ${printable(name)} is ${status === 'paused' ? 'published; the flow is still paused' : 'live'}.`;

const sayProblem = ({ severity, path, message, hint }: Problem): string =>
  printable(`${severity === 'warning' ? 'warning' : 'error'}  ${path} ${message}${hint ? `. ${hint}` : ''}`);
