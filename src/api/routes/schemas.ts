import { definitionJsonSchema } from '../../shared/flows/definition/definition.ts';
import { createRouter, type ApiRouter } from '../http.ts';

/** `/schemas/flow.json`: the JSON Schema of a flow's definition, for editors and for who makes definitions by program. */
export const schemaRoutes = ({ baseUrl }: { baseUrl: string }): ApiRouter => {
  const router = createRouter();
  let document: string | undefined;
  router.get('/schemas/flow.json', async (ctx) => {
    document ??= JSON.stringify({ $id: `${baseUrl}/schemas/flow.json`, ...definitionJsonSchema() });
    // Editors in browsers ask for it from other hosts.
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.type = 'application/schema+json';
    ctx.body = document;
  });
  return router;
};
