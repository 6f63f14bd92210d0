# Sinew in a container: docker build -t sinew . && docker run --rm --network host sinew
# The viewer answers only to the address it listens at, so its port cannot be mapped to another one (`-p`); on the host's network it can be opened as printed.
# Other commands: docker run --rm -v "$PWD:/work" -w /work sinew render scene.charli scene.png
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
ENTRYPOINT ["sinew"]
CMD ["view", "catapult.charli", "--no-open"]
