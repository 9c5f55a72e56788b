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
# A list of all packages in it, as CycloneDX, for tools that look for known faults. npm calls a package of the build missing, so they are no longer named.
RUN npm pkg delete devDependencies && npm sbom --sbom-format cyclonedx > sbom.cdx.json
# Remove files that no server runs: Node's C++ headers and manuals, the TypeScript that packages name as a peer, types (Node strips types itself),
# maps, manuals of packages and what they test themselves with. Licences stay.
RUN rm -r node_modules/node-linux-*/include node_modules/node-linux-*/share node_modules/typescript node_modules/@typescript node_modules/@types node_modules/.bin/tsc node_modules/bintrees/test \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' -o -iname 'readme*.md' -o -iname 'changelog*' \) -delete
# The system: the libraries that Node and sharp are linked to, Debian's record of them for scanners, and two names of users. No shell and no tools.
# The folder of the data lies apart, because it has another owner.
RUN mkdir -p volume/data system/tmp system/etc system/var/lib/dpkg/status.d \
  && libraries=$(ldd node_modules/node-linux-*/bin/node $(find node_modules -name '*.so*' -o -name '*.node') | grep -oE '[[:space:]]/lib[^ ]*' | sort -u) \
  && cp --parents --dereference $libraries system \
  && for package in libc6 libgcc-s1 libstdc++6; do dpkg-query --status $package > system/var/lib/dpkg/status.d/$package; done \
  && cp /etc/os-release system/etc/os-release \
  && printf 'root:x:0:0::/:\nnobody:x:65534:65534::/:\n' > system/etc/passwd \
  && printf 'root:x:0:\nnogroup:x:65534:\n' > system/etc/group \
  && printf 'hosts: files dns\n' > system/etc/nsswitch.conf

# Run: the project's own Node and nothing beside it, an unprivileged user, and no place to write to but the volume.
FROM scratch
WORKDIR /dormouse
COPY --from=build /dormouse/system /
COPY --from=build /dormouse/package.json ./
COPY --from=build /dormouse/sbom.cdx.json ./
COPY --from=build /dormouse/node_modules node_modules
COPY --from=build /dormouse/server server
COPY --from=build /dormouse/build build
COPY --from=build --chown=65534:65534 /dormouse/volume /
ARG BASE_PATH=/
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Dormouse" \
  org.opencontainers.image.description="A members' web app for people with sleep problems" \
  org.opencontainers.image.version=$VERSION \
  org.opencontainers.image.revision=$REVISION
ENV NODE_ENV=production BASE_PATH=$BASE_PATH DATA_DIR=/data PORT=3000 PATH=/dormouse/node_modules/.bin
USER 65534:65534
VOLUME /data
EXPOSE 3000
# BASE_PATH may be written without its slashes, and PORT be empty, as for the server itself.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node_modules/.bin/node", "-e", "import('./server/platform/base-path.ts').then(({ readBasePath }) => fetch(`http://127.0.0.1:${process.env.PORT || 3000}${readBasePath(process.env.BASE_PATH)}readyz`)).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Memory: one arena for all threads, which returns what is large at once, a small nursery, and a heap that grows by two fifths at most. It is the
# line of deploy/node-flags, which no shell reads here; tests/docs.test.ts compares both.
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
# The exec form: SIGTERM reaches the server, which finishes what runs and closes the database.
CMD ["node_modules/.bin/node", "--max-semi-space-size=8", "--heap-growing-percent=40", "server/start.js"]
