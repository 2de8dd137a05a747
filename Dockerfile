# syntax=docker/dockerfile:1
# Frontdesk with what it needs to run and nothing else. docs/deployment.md says how it is meant to be used.

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No install script runs. The image brings its own Node, so the pinned one, an optional dependency, is not kept; neither
# are source maps and type declarations. What runs an embedding model (EMBEDDING_MODEL_DIR) is there: nothing can be added
# to a container. Who needs none leaves out 140 MB with `--build-arg MODEL=omit`.
ARG MODEL=include
RUN npm ci --ignore-scripts --omit=dev --${MODEL}=peer --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/node-bin-* node_modules/.bin/node \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && npm cache clean --force

FROM dependencies AS web
COPY scripts/build-web.mjs ./scripts/
COPY clients ./clients
COPY tsconfig.json ./
COPY web ./web
COPY sample ./sample
RUN node scripts/build-web.mjs

# What only builds the pages stays out of the image.
FROM dependencies AS runtime
RUN rm -rf node_modules/vite node_modules/rolldown node_modules/@rolldown node_modules/lightningcss node_modules/lightningcss-* \
  node_modules/preact node_modules/@preact node_modules/uplot

# Compiled here, not by each container. Its folder is named for the user that reads it, and belongs to root as all else.
FROM node:24-slim AS compiled
WORKDIR /app
COPY --from=runtime /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
RUN chown node:node /app
USER node
RUN node src/main.ts --compile && chmod -R a+rX .cache

FROM node:24-slim
# Without API_KEY the service listens on loopback alone, and so nobody outside of the container reaches it.
ENV NODE_ENV=production PORT=8000 DATA_DIR=/data
WORKDIR /app
COPY --from=runtime /app/node_modules ./node_modules
COPY --from=web /app/.cache/web ./.cache/web
COPY --from=compiled /app/.cache/compiled ./.cache/compiled
COPY package.json package-lock.json ./
COPY migrations ./migrations
COPY sample ./sample
COPY scripts ./scripts
COPY src ./src
# The program's files belong to root: what runs may read them and write only its data.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8000
# The first start creates the database, which takes some seconds.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/v1/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Without npm in between, so that a stop reaches the program; it ends by itself within SHUTDOWN_TIMEOUT_MS.
STOPSIGNAL SIGTERM
CMD ["node", "src/main.ts"]
