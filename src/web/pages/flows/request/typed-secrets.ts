import { isTypedSecret } from '../../../../shared/flows/blocks/check-request.ts';
import { secretOfHeader } from '../../../../shared/flows/curl/auth.ts';
import { Findings } from '../../../../shared/flows/curl/findings.ts';
import { Proposals, type CredentialProposal, type Secret } from '../../../../shared/flows/curl/proposals.ts';
import type { RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import { entriesOf, hostOf } from './read-request.ts';
import { textOf } from '../edits/blocks.ts';
import { removeRow, writeRow } from './tables.ts';

const tables = ['headers', 'query', 'form'] as const;

/** A secret that was typed into a request, where everybody who reads the flow sees it. */
export type TypedSecret = { table: (typeof tables)[number]; name: string; template: string };

/** What looks like a secret by its name, and holds text of its own. */
export const typedSecretsOf = (block: RawBlock): TypedSecret[] =>
  tables.flatMap((table) =>
    (entriesOf(block[table]) ?? []).flatMap(({ name, template }) =>
      isTypedSecret(name, template) ? [{ table, name, template }] : [],
    ),
  );

/** Whether the credential can be that of the block: it is then sent in the way of its type, and the row goes away. */
const goesByItself = (block: RawBlock, { table }: TypedSecret): boolean =>
  textOf(block, 'credential') === '' && table !== 'form';

const secretOf = (block: RawBlock, typed: TypedSecret): Secret => {
  const { table, name, template } = typed;
  if (table !== 'headers') return { type: 'query', parameter: name, value: template };
  const isAlone = goesByItself(block, typed) && name.toLowerCase() === 'authorization';
  return isAlone ? secretOfHeader(template) : { type: 'header', header: name, value: template };
};

/** The credential that would hold the secret, bound to the host of the request. */
export const proposeCredential = (
  block: RawBlock,
  typed: TypedSecret,
  taken: Iterable<string>,
): CredentialProposal['credential'] | undefined => {
  const host = hostOf(textOf(block, 'url')) ?? '';
  const proposals = new Proposals(host, taken, new Findings());
  proposals.add(secretOf(block, typed), 'credential', typed.name);
  const [proposal] = proposals.list;
  return proposal && { ...proposal.credential, hosts: host === '' ? [] : [host] };
};

/** What changes in the block once the credential is there: the secret goes out of it. */
export const replaceSecret = (block: RawBlock, typed: TypedSecret, credential: string): Record<string, unknown> => {
  const { table, name } = typed;
  return goesByItself(block, typed)
    ? { credential, [table]: removeRow(block[table], name) }
    : { [table]: writeRow(block[table], name, `{{credential.${credential}}}`) };
};
