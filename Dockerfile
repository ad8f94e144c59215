FROM node:26-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional packages are a Node and a PostgreSQL; the one is here, the other has a container of its own.
RUN npm ci --omit=dev --omit=optional && npm cache clean --force

FROM node:26-slim AS bundle
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# With the optional packages, among which the programs of the bundler are.
RUN npm ci --omit=dev
COPY build.mjs run.mjs ./
COPY migrations migrations
COPY src src
RUN npm run build

FROM node:26-slim
ENV MALLOC_ARENA_MAX=1 NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
WORKDIR /app
RUN install --directory --owner=node --group=node --mode=0700 /data
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY src src
COPY --from=bundle /app/dist dist
USER node
# All that is written: files, and the lock that keeps a second process out.
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, which would keep the signals of the container to itself.
CMD ["node", "--max-semi-space-size=32", "dist/main.mjs"]
