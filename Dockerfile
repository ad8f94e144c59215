FROM node:26-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional packages are Node and PostgreSQL: the image has Node, and PostgreSQL runs in a separate container.
RUN npm ci --omit=dev --omit=optional && npm cache clean --force

FROM node:26-slim AS bundle
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# All packages: those for development contain the bundler, and the optional ones its programs.
RUN npm ci
COPY build.mjs build-directory.mjs run.mjs ./
COPY migrations migrations
COPY src src
COPY web web
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
# Files, and the lock against a second process. Besides, only temporary files are written, below /tmp.
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, which does not forward the container's signals.
CMD ["node", "--max-old-space-size=1536", "--max-semi-space-size=64", "dist/main.mjs"]
