import { z } from 'zod';
import { anyJson } from '../../codec.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import { splitConfig, type ChannelDeclaration } from './declaration.ts';
import type { ChannelConfig, ConfigChange, StoredConfig } from './kind.ts';

type Place = { accountId: string; rowId: string };

const object = z.record(z.string(), anyJson);

/** What is to be stored of a config: its open fields as JSON, its sealed ones as one sealed value. Fields that are not given stay. */
export const storeConfig = (
  { declaration, secrets }: { declaration: ChannelDeclaration; secrets: Secrets },
  place: Place,
  { config, present }: { config: ChannelConfig; present: StoredConfig | undefined },
): ConfigChange => {
  const all = { ...(present && openConfig(secrets, place, present)), ...config };
  const { sealed, shown } = splitConfig(declaration);
  const pick = (names: readonly string[]) =>
    object.parse(Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]))));
  const secret = secrets.seal(JSON.stringify(pick(sealed)), place);
  return { config: pick(shown), ...(sealed.length > 0 && { secret: { secret, previous: null } }) };
};

/** The config that `storeConfig` has stored. */
export const openConfig = (
  secrets: Secrets,
  place: Place,
  { config, secret }: Pick<StoredConfig, 'config' | 'secret'>,
): ChannelConfig => ({ ...config, ...(secret && object.parse(JSON.parse(secrets.open(secret, place)))) });

/** Whether messages have somewhere to go. Where they have not, as on a channel of kind `api` without a url, they count as sent at once. */
export const hasTarget = ({ callbackUrl, config }: Pick<StoredConfig, 'callbackUrl' | 'config'>): boolean =>
  callbackUrl !== null || config !== null;
