// Starts both servers on the data folder given, tells where PostgreSQL is, and waits for its end.
import { startEmbedded } from '../../../../src/shared/platform/embedded/start-embedded.ts';

const [dataDir = '', kind] = process.argv.slice(2);
const embedded = await startEmbedded({ config: { dataDir }, log: () => {}, durable: kind !== 'temporary' });
process.once('SIGTERM', () => void embedded.stop());
// Last: whoever reads the line may send the signal at once.
console.log(JSON.stringify({ database: embedded.database }));
