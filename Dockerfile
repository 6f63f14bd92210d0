# Sinew in a container: docker build -t sinew . && docker run --rm -p 8137:8137 sinew
# The package is built in a first stage; the second holds the program and the libraries it needs, nothing else.
FROM debian:12-slim AS build
RUN apt-get update -q && apt-get install -y -q --no-install-recommends ca-certificates git && rm -rf /var/lib/apt/lists/*
COPY . /sinew
WORKDIR /sinew
RUN ./dev package --deb

FROM debian:12-slim
COPY --from=build /sinew/build/packages/sinew_*.deb /tmp/
RUN apt-get update -q && apt-get install -y -q --no-install-recommends /tmp/sinew_*.deb ffmpeg && rm -rf /var/lib/apt/lists/* /tmp/*.deb
RUN useradd --create-home sinew
USER sinew
WORKDIR /home/sinew
RUN sinew new catapult.charli --from catapult
EXPOSE 8137
ENTRYPOINT ["sinew"]
CMD ["view", "catapult.charli", "--no-open", "--listen", "0.0.0.0:8137"]
