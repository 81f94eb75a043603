# syntax=docker/dockerfile:1
FROM node:24-alpine AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json nest-cli.json build.cjs ./
COPY src src
COPY migrations migrations
RUN npm run build

# Without the embedded PostgreSQL: a container uses DATABASE_URL.
FROM node:24-alpine AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force

FROM node:24-alpine
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE NOTICE ./
# Its guides are served below /api/docs.
COPY docs docs
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
  CMD wget -q -O /dev/null http://127.0.0.1:${PORT:-3000}/readyz || exit 1
# Without this flag V8 may decide at startup that a page's rows are long-lived and allocate them in the old generation:
# memory doubles, and a list costs a third more until the process ends.
CMD ["node", "--no-allocation-site-pretenuring", "dist/src/main.js"]
