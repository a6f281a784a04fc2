import { createSigningSecret } from '../../../signing/create-secret.ts';
import { sealPrevious } from '../../../signing/secrets.ts';
import type { ChannelKind } from '../kind.ts';
import { storeConfig } from '../stored-config.ts';
import { webchatDeclaration } from './declaration.ts';

/** What a channel has that says nothing else. */
const unlessGiven = {
  origins: [],
  title: null,
  greeting: null,
  color: '#0b7285',
  position: 'right',
  texts: {},
  office_hours: null,
  require_identity: false,
  mail_after_minutes: null,
};

/**
 * The open fields are stored as those of any kind. The identity secret is made with the channel. When it is rotated, hashes by the replaced one are good for
 * a day.
 */
export const storeWebchatConfig: NonNullable<ChannelKind['store']> = (secrets, place, { config: given, present }) => {
  const { secret: rotated, ...config } = given;
  const fields = { ...(!present && unlessGiven), ...config };
  const open = present && { ...present, secret: null };
  const change = storeConfig({ declaration: webchatDeclaration, secrets }, place, { config: fields, present: open });
  const replaced = present?.secret ?? null;
  if (replaced && typeof rotated !== 'string') return { change, made: undefined };
  const made = typeof rotated === 'string' ? rotated : createSigningSecret();
  const previous = replaced && (sealPrevious(secrets, place, { replaced, next: made }) ?? null);
  return { change: { ...change, secret: { secret: secrets.seal(made, place), previous } }, made };
};
