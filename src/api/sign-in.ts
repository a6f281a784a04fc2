import { normalizeEmail } from '../shared/accounts/email.ts';
import { holdPassword } from '../shared/accounts/change-password.ts';
import type { SignedInUser } from '../shared/accounts/schema.ts';
import { createSession } from '../shared/accounts/sessions.ts';
import { findCredentials, isRightPassword, rememberNetwork, type Credentials } from '../shared/accounts/sign-in.ts';
import { RequestError } from '../shared/errors.ts';
import type { ApiContext, ApiDeps } from './http.ts';
import { networkOf } from './middleware/client-address.ts';
import { createPasswordTurns } from './password-turns.ts';
import { sessionClient } from './session-client.ts';
import { createTryBudget, takeTry } from './try-budget.ts';

/** Tries in a quarter of an hour: one person's for a user, a whole office's for a network. */
const windowSeconds = 15 * 60;
const triesPerUser = 10;
const triesPerNetwork = 100;

export type SignIn = {
  /** Counts a try of the network that asks. Throws `rate_limited` when it has none left. */
  countTry: (ctx: ApiContext) => Promise<void>;
  /**
   * The user with this e-mail address and password, and the token of a new session. Throws `unauthorized`, `rate_limited`, or
   * `unavailable`.
   */
  signIn: (
    ctx: ApiContext,
    given: { email: string; password: string },
  ) => Promise<{ user: SignedInUser; token: string }>;
};

/**
 * Signing in against guesses: a network has its tries, whichever users it tries, and a user has its own, wherever they come
 * from. From where a user has signed in before, tries are counted apart, and looked at in a line of their own, so that whoever
 * guesses elsewhere cannot keep the user out. A right password takes no try.
 */
export const createSignIn = ({ db, transact }: Pick<ApiDeps, 'db' | 'transact'>): SignIn => {
  const ofNetworks = createTryBudget({ tries: triesPerNetwork, windowSeconds });
  const elsewhere = { tries: createTryBudget({ tries: triesPerUser, windowSeconds }), inTurn: createPasswordTurns() };
  const known = { tries: createTryBudget({ tries: triesPerUser, windowSeconds }), inTurn: createPasswordTurns() };

  const prove = async (
    ctx: ApiContext,
    { found, email, password }: { found: Credentials | undefined; email: string; password: string },
  ): Promise<Credentials> => {
    const network = networkOfAsker(ctx);
    const { tries, inTurn } = found?.isKnownNetwork ? known : elsewhere;
    const key = found?.isKnownNetwork ? `${found.user.userId} ${network}` : normalizeEmail(email);
    // Counted before the password is looked at, so that guesses made at the same time are counted, too.
    takeTry(ctx, tries, key);
    // Where it is known, a user takes turns as one, however many its networks are.
    const asker = found?.isKnownNetwork ? found.user.userId : network;
    const isRight = await inTurn(ctx, asker, () => isRightPassword(found, password)).catch((error: unknown) => {
      tries.giveBack(key);
      throw error;
    });
    if (!found || !isRight) throw wrong();
    if (found.isKnownNetwork) tries.clear(key);
    else tries.giveBack(key);
    return found;
  };

  return {
    countTry: async (ctx) => takeTry(ctx, ofNetworks, networkOfAsker(ctx)),
    signIn: async (ctx, given) => {
      const network = networkOfAsker(ctx);
      const found = await findCredentials(db, { email: given.email, network });
      const { user, passwordHash } = await prove(ctx, { found, ...given });
      ofNetworks.giveBack(network);
      const { userId } = user;
      const token = await transact(async ({ sql }) => {
        if (!(await holdPassword(sql, { userId, passwordHash }))) throw wrong();
        if (network !== '') await rememberNetwork(sql, { userId, network });
        return createSession(sql, userId, sessionClient(ctx));
      });
      return { user, token };
    },
  };
};

const wrong = () => new RequestError('unauthorized', 'E-mail address or password is wrong.');

/** Where a request comes from; empty when the asker has hung up meanwhile. */
export const networkOfAsker = (ctx: ApiContext): string => networkOf(ctx.state.clientAddress ?? '');
