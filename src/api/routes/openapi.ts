import { createRouter, type ApiRouter } from '../http.ts';
import { createOpenApi, type Mount } from '../openapi.ts';

/** `/openapi.json`: the document of everything that the doors lead to, made with the first request for it. */
export const openApiRoutes = (mounts: readonly Mount[]): ApiRouter => {
  const router = createRouter();
  let document: string | undefined;
  router.get('/openapi.json', async (ctx) => {
    document ??= JSON.stringify(createOpenApi(mounts));
    ctx.type = 'application/json';
    ctx.body = document;
  });
  return router;
};
