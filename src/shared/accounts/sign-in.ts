import type { Sql } from '../platform/db/connect.ts';
import { hashPassword, verifyPassword } from '../platform/secrets/passwords.ts';
import { createToken } from '../platform/secrets/tokens.ts';
import { normalizeEmail } from './email.ts';
import type { SignedInUser } from './schema.ts';

/** How many networks are remembered that a user has signed in from, and for how many days. */
const knownNetworks = 20;
const knownNetworkDays = 90;

/** The user of an e-mail address, with the hash that a password is checked against. */
export type Credentials = {
  user: SignedInUser;
  passwordHash: string;
  /** Whether the user has signed in from this network before. */
  isKnownNetwork: boolean;
};

/** The credentials of the user with this e-mail address, who signs in from this network. */
export const findCredentials = async (
  sql: Sql,
  { email, network }: { email: string; network: string },
): Promise<Credentials | undefined> => {
  // Two addresses from before the normal form may differ only in case (migration 0014).
  const [found] = await sql<(SignedInUser & Omit<Credentials, 'user'>)[]>`
    select u.id as user_id, u.email, u.name, u.role, u.password_hash, a.id as account_id, a.name as account_name, a.plan,
      exists (
        select from user_networks n where n.user_id = u.id and n.network = ${network}
          and n.last_used_at > now() - make_interval(days => ${knownNetworkDays})
      ) as is_known_network
    from users u join accounts a on a.id = u.account_id
    where lower(u.email collate "C") = ${normalizeEmail(email)}
    order by u.email = ${email} desc limit 1`;
  if (!found) return undefined;
  const { passwordHash, isKnownNetwork, ...user } = found;
  return { user, passwordHash, isKnownNetwork };
};

let decoy: Promise<string> | undefined;

/**
 * Whether the password is that of these credentials. An unknown e-mail address costs the same argon2 pass as a wrong password, so that neither
 * the answer nor its time tells who has an account here.
 */
export const isRightPassword = async (credentials: Credentials | undefined, password: string): Promise<boolean> => {
  decoy ??= hashPassword(createToken(''));
  const isRight = await verifyPassword(credentials?.passwordHash ?? (await decoy), password);
  return credentials !== undefined && isRight;
};

/** Remembers the network that a user has signed in from, or changed its password from. Only the latest are kept. */
export const rememberNetwork = async (
  sql: Sql,
  { userId, network }: { userId: string; network: string },
): Promise<void> => {
  await sql`
    with forgotten as (
      delete from user_networks where user_id = ${userId} and network in (
        select network from user_networks where user_id = ${userId} and network <> ${network}
        order by last_used_at desc offset ${knownNetworks - 1}
      )
    )
    insert into user_networks (user_id, network) values (${userId}, ${network})
    on conflict (user_id, network) do update set last_used_at = now()`;
};

/** Deletes the networks that are too old to be remembered. */
export const forgetNetworks = async (sql: Sql): Promise<void> => {
  await sql`delete from user_networks where last_used_at < now() - make_interval(days => ${knownNetworkDays})`;
};
