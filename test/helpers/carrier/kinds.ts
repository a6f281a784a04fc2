import { channelKinds } from '../../../src/shared/messages/channels/kinds.ts';
import { carrier } from './kind.ts';

/** The kinds of channels of the product, and one more: a folder and a line. */
export const kindsWithCarrier = { ...channelKinds, carrier };
