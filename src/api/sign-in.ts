import { normalizeEmail } from '../shared/accounts/email.ts';
import { holdPassword } from '../shared/accounts/change-password.ts';
import { findCredentials, isRightPassword, type Credentials } from '../shared/accounts/sign-in.ts';
import { RequestError } from '../shared/errors.ts';
import { takeSignInLink } from '../shared/users/sign-in-links.ts';
import type { ApiContext, ApiDeps } from './http.ts';
import { networkOfAsker, openSession, signInAs, type SignedIn } from './open-session.ts';
import { createPasswordSlots } from './password-slots.ts';
import { createTryBudget, takeTry } from './try-budget.ts';

/** Tries in a quarter of an hour: enough for one person per user, and for a whole office per network. */
const windowSeconds = 15 * 60;
const triesPerUser = 10;
const triesPerNetwork = 100;

export type SignIn = {
  /** Counts a try of the asking network. Throws `rate_limited` when it has none left. */
  countTry: (ctx: ApiContext) => Promise<void>;
  /**
   * The user with this e-mail address and password, and the token of a new session. Throws `unauthorized`, `rate_limited`, or
   * `unavailable`.
   */
  signIn: (ctx: ApiContext, given: { email: string; password: string }) => Promise<SignedIn>;
  /** The same of the user whose link has this token, which is used up. Throws 422 when it is not good. */
  signInByLink: (ctx: ApiContext, linkToken: string) => Promise<SignedIn>;
};

/**
 * Protects signing in against guesses. A network has a number of tries for all users together, and a user a number from all networks. Tries from a
 * network where the user has signed in before are counted apart and wait in a line of their own, so that guesses from elsewhere cannot keep
 * the user out. A right password, or a good link, takes no try.
 */
export const createSignIn = ({ db, transact }: Pick<ApiDeps, 'db' | 'transact'>): SignIn => {
  const ofNetworks = createTryBudget({ tries: triesPerNetwork, windowSeconds });
  const elsewhere = { tries: createTryBudget({ tries: triesPerUser, windowSeconds }), inSlot: createPasswordSlots() };
  const known = { tries: createTryBudget({ tries: triesPerUser, windowSeconds }), inSlot: createPasswordSlots() };

  const prove = async (
    ctx: ApiContext,
    { found, email, password }: { found: Credentials | undefined; email: string; password: string },
  ): Promise<Credentials> => {
    const network = networkOfAsker(ctx);
    const { tries, inSlot } = found?.isKnownNetwork ? known : elsewhere;
    const key = found?.isKnownNetwork ? `${found.user.userId} ${network}` : normalizeEmail(email);
    // Counted before the password is checked, so that simultaneous guesses are counted, too.
    takeTry(ctx, tries, key);
    // A known user is one asker, however many networks it has.
    const asker = found?.isKnownNetwork ? found.user.userId : network;
    const isRight = await inSlot(asker, () => isRightPassword(found, password)).catch((error: unknown) => {
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
      const token = await transact(async (tx) => {
        if (!(await holdPassword(tx.sql, { userId, passwordHash }))) throw wrong();
        return openSession(ctx, tx, user);
      });
      return { user, token };
    },
    signInByLink: async (ctx, linkToken) => {
      const signedIn = await transact(async (tx) => signInAs(ctx, tx, await takeSignInLink(tx, linkToken)));
      ofNetworks.giveBack(networkOfAsker(ctx));
      return signedIn;
    },
  };
};

const wrong = () => new RequestError('unauthorized', 'Wrong e-mail or password.');
