# Build: install everything, then remove the parts that only the build needs.
FROM node:24-bookworm-slim AS build
WORKDIR /dormouse
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json react-router.config.ts vite.config.ts ./
COPY app app
COPY server server
COPY public public
COPY tools tools
# The path the product is served under is a setting of the build.
ARG BASE_PATH=/
ENV NODE_ENV=production BASE_PATH=$BASE_PATH
RUN npm run build
RUN npm prune --omit=dev
# Remove files that no server runs: Node's C++ headers and manuals, the TypeScript that packages name as a peer, types (Node strips types itself).
RUN rm -r node_modules/node-linux-*/include node_modules/node-linux-*/share node_modules/typescript node_modules/@typescript node_modules/@types node_modules/.bin/tsc

# Run: the project's own Node, no npm, an unprivileged user, and no place to write to but the volume.
FROM debian:bookworm-slim
WORKDIR /dormouse
COPY --from=build /dormouse/package.json ./
COPY --from=build /dormouse/node_modules node_modules
COPY --from=build /dormouse/server server
COPY --from=build /dormouse/build build
RUN mkdir /data && chown 65534:65534 /data
ARG BASE_PATH=/
ENV NODE_ENV=production BASE_PATH=$BASE_PATH DATA_DIR=/data PORT=3000
USER 65534:65534
VOLUME /data
EXPOSE 3000
# BASE_PATH may be written without its slashes, and PORT be empty, as for the server itself.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node_modules/.bin/node", "-e", "import('./server/base-path.ts').then(({ readBasePath }) => fetch(`http://127.0.0.1:${process.env.PORT || 3000}${readBasePath(process.env.BASE_PATH)}readyz`)).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Memory: one arena for all threads, a small nursery, and a heap that grows by two fifths at most.
ENV MALLOC_ARENA_MAX=1
# The exec form: SIGTERM reaches the server, which finishes what runs and closes the database.
CMD ["node_modules/.bin/node", "--max-semi-space-size=6", "--heap-growing-percent=40", "server/main.ts"]
