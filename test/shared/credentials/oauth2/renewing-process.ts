import { parseEgressAllow } from '../../../../src/shared/platform/egress/addresses.ts';
import { createEgress } from '../../../../src/shared/platform/egress/client.ts';
import { connectDatabase } from '../../../../src/shared/platform/db/connect.ts';
import { createSecrets } from '../../../../src/shared/platform/secrets/seal.ts';
import { tokensOn } from '../../../helpers/token-server.ts';

// Renews the token of a credential, in a process that a test kills meanwhile.

const [target = '', key = '', extraCa = '', accountId = '', credentialId = ''] = process.argv.slice(2);
const egress = createEgress({ allow: parseEgressAllow('127.0.0.1'), extraCa });
const tokens = tokensOn(connectDatabase(target), { secrets: createSecrets(Buffer.from(key, 'hex')), egress });
await tokens.renew({ accountId, credentialId }, { isGood: false });
