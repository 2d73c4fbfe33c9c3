# Folkmoot as an image: `docker build -t folkmoot .`
#
# The API is what it runs. A separate worker is the same image with another command:
#   docker run … folkmoot bun workers/main.ts
#
# The embedded PostgreSQL is left out, so DATABASE_URL and SECRET_KEY have to be set.

FROM oven/bun:1.4.4-slim AS packages
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile --production --ignore-scripts --omit=optional

FROM oven/bun:1.4.4-slim
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json bun.lock bunfig.toml tsconfig.json ./
COPY migrations migrations
COPY workers workers
COPY src src

# Everything above belongs to root: the server can read its own code but not change it.
USER bun
ENV HOST=0.0.0.0
EXPOSE 3000
STOPSIGNAL SIGTERM

# There is no curl in this image. Where BASE_URL is set, only its host is served, so the probe names it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["bun", "-e", "const { BASE_URL, PORT } = process.env; \
    const headers = BASE_URL ? { host: new URL(BASE_URL).host } : {}; \
    const { ok } = await fetch('http://127.0.0.1:' + (PORT || 3000) + '/healthz', { headers }); \
    process.exit(ok ? 0 : 1)"]

CMD ["bun", "src/server.ts"]
