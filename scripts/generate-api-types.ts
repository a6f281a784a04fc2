import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createDoors } from '../src/api/app.ts';
import type { ApiDeps } from '../src/api/http.ts';
import { createOpenApi } from '../src/api/openapi.ts';
import { channelKinds } from '../src/shared/messages/channels/kinds.ts';
import { resources } from '../src/api/resources.ts';
import { hashSources, project } from './sources-hash.ts';

const target = join(project, 'src', 'web', 'api', 'paths.gen.d.ts');

/** What no operation asks for while it is declared. Any part of it is it again. */
const nothing: unknown = new Proxy(() => nothing, { get: (_, name) => (name === 'then' ? undefined : nothing) });

const baseUrl = 'http://localhost:8080';

/** The OpenAPI document of what the dashboard's session reaches, with paths relative to its door. */
const describe = () => {
  const config = { baseUrl, apiUrl: baseUrl, rateLimitPerMinute: 600 };
  const given = new Map<string | symbol, unknown>(Object.entries({ config, channelKinds }));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- declaring an operation needs nothing that runs
  const deps = new Proxy({}, { get: (_, name) => given.get(name) ?? nothing }) as ApiDeps;
  const doors = createDoors(deps, resources).filter(({ security }) => security === 'session');
  return createOpenApi(doors.map((door) => ({ ...door, prefix: '' })));
};

/** Writes the types of the dashboard's API, for its pages, unless they are up to date. They are no part of the repository. */
export const generateApiTypes = async (): Promise<void> => {
  const stamp = await hashSources([
    'src/api',
    'src/shared',
    'packages/webchat/src/default-texts.ts',
    'package-lock.json',
    'scripts/generate-api-types.ts',
  ]);
  const head = `// Made by scripts/generate-api-types.ts of ${stamp}\n`;
  const existing = await readFile(target, 'utf8').catch(() => '');
  if (existing.startsWith(head)) return;
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const document: unknown = JSON.parse(JSON.stringify(describe()));
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, head + astToString(await openapiTS(JSON.stringify(document))));
};

if (import.meta.main) await generateApiTypes();
