import { newCredential, type NewCredential } from '../../credentials/schema.ts';
import { isSecretName } from '../../platform/secret-names.ts';
import { isTypedSecret } from '../blocks/check-request.ts';
import type { Findings } from './findings.ts';
import { asTemplate, namesIn } from './placeholders.ts';
import { snakeCase } from './variables.ts';

/** A secret of a request, by the type of credential that sends it. */
export type Secret =
  | { type: 'bearer'; token: string }
  /** An undefined password is not said; an empty one is sent as it is. */
  | { type: 'basic'; username: string; password: string | undefined }
  | { type: 'header'; header: string; value: string }
  | { type: 'query'; parameter: string; value: string };

/**
 * A credential that the request needs, and the only place of its secret. `at` is `credential`, or where the request names it by a placeholder,
 * such as `headers.X-Api-Key`. What the text does not say is empty, and named in `missing`.
 */
export type CredentialProposal = { at: string; credential: TypedCredential; missing: string[] };

/** No command of curl says where tokens come from. */
type TypedCredential = Exclude<NewCredential, { type: 'oauth2' }>;

/** A secret of which every part is a text. */
type Whole = Exclude<Secret, { type: 'basic' }> | { type: 'basic'; username: string; password: string };

/** What documents write in the place of a secret. */
const standIn =
  /^(?:\$\{?\w{1,64}\}?|%\w{1,64}%|<[^<>]{0,64}>|\[[\w -]{1,64}\]|\.{2,}|\u2026|[x*]{3,64})$|\b(?:your|my|insert)[-_ ]?(?:[a-z]{1,20}[-_ ]?){0,4}(?:key|token|secret|password|sid)\b|(?:^|[-_])your[-_]/i;

const isStandIn = (text: string): boolean => text.length <= 200 && standIn.test(text.trim());

/** Whether this is a secret by its name, written out or as a variable. What names a credential already is none. */
export const isSecret = (name: string, template: string): boolean =>
  isTypedSecret(name, template) ||
  (isSecretName(name) && namesIn(template).some((path) => !path.startsWith('credential.')));

/** Makes the proposals of one request. */
export class Proposals {
  readonly list: CredentialProposal[] = [];
  readonly #host: string;
  readonly #taken: Set<string>;
  readonly #findings: Findings;

  constructor(host: string, taken: Iterable<string>, findings: Findings) {
    this.#host = host;
    this.#taken = new Set(taken);
    this.#findings = findings;
  }

  /** Proposes a credential, and answers its name. `option` says in the note where the secret was. */
  add(secret: Secret, at: string, option: string): string {
    const known = this.list.find(({ credential }) => at !== 'credential' && isSame(credential, secret));
    if (known) return known.credential.name;
    const name = this.#nameOf(secret);
    const { filled, missing } = withoutGaps(secret);
    const credential: TypedCredential = { name, hosts: [this.#host], ...filled };
    const isKept = missing.length > 0 || newCredential.safeParse(credential).success;
    const lacking = isKept ? missing : secretsOf(secret);
    this.list.push({ at, credential: isKept ? credential : { ...credential, ...emptied(secret) }, missing: lacking });
    const todo = `: ${isKept ? 'fill in' : 'type in'} its ${lacking.join(' and ')}`;
    this.#findings.note(option, `becomes the credential ${name}${lacking.length === 0 ? '' : todo}`);
    return name;
  }

  #nameOf(secret: Secret): string {
    const labels = this.#host.split('.').filter((label) => /^[a-z]/i.test(label));
    const known = this.list.length === 0 ? '' : `_${snakeCase(secretNameOf(secret))}`;
    const base = (snakeCase(labels.length > 1 ? (labels.at(-2) ?? '') : 'service') + known)
      .replace(/_+$/, '')
      .slice(0, 58);
    let name = /^[a-z]/.test(base) ? base : `service${known}`;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${base}_${count}`;
    this.#taken.add(name);
    return name;
  }
}

const secretNameOf = (secret: Secret): string =>
  secret.type === 'header' ? secret.header : secret.type === 'query' ? secret.parameter : secret.type;

/** What a placeholder of a credential stands for. */
const valueOf = (secret: Secret): string | undefined =>
  secret.type === 'basic' ? undefined : secret.type === 'bearer' ? secret.token : secret.value;

const isSame = (credential: TypedCredential, secret: Secret): boolean => {
  const value = valueOf(secret);
  return value !== undefined && value !== '' && value === valueOf(credential);
};

/** Empties what is a variable, or only stands for a secret. */
const withoutGaps = (secret: Secret): { filled: Whole; missing: string[] } => {
  const missing: string[] = [];
  const fill = (name: string, text: string): string => {
    if (text !== '' && namesIn(asTemplate(text)).length === 0 && !isStandIn(text))
      return text.replaceAll('{{"{{"}}', '{{');
    missing.push(name);
    return '';
  };
  if (secret.type === 'bearer') return { filled: { ...secret, token: fill('token', secret.token) }, missing };
  if (secret.type !== 'basic') return { filled: { ...secret, value: fill('value', secret.value) }, missing };
  const username = fill('username', secret.username);
  const password = secret.password === '' ? '' : fill('password', secret.password ?? '');
  return { filled: { ...secret, username, password }, missing };
};

const secretsOf = ({ type }: Secret): string[] =>
  type === 'basic' ? ['username', 'password'] : [type === 'bearer' ? 'token' : 'value'];

const emptied = (secret: Secret): Whole => {
  if (secret.type === 'bearer') return { ...secret, token: '' };
  return secret.type === 'basic' ? { ...secret, username: '', password: '' } : { ...secret, value: '' };
};
