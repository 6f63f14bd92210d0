"""Sinew in Blender: simulate a script or the selection, play the result on the timeline."""
import pathlib
import tempfile

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

from . import baking, engine, selection

bl_info = {"name": "Sinew", "author": "Sinew", "version": (0, 2, 0), "blender": (3, 4, 0), "location": "3D View > Sidebar > Sinew",
           "description": "Strands, bodies and mechanisms from short scripts", "category": "Physics"}


class SinewSettings(bpy.types.PropertyGroup):
    script: StringProperty(name="Script", subtype="FILE_PATH", description="A .charli script; if empty, the selection is simulated")
    folder: StringProperty(name="Cache", subtype="DIR_PATH", description="Folder for the recording and the result; if empty, a temporary folder")
    program: StringProperty(name="Program", subtype="FILE_PATH", description="The program sinew; if empty, the one on the path")
    seconds: FloatProperty(name="Seconds", default=4, min=0.01, description="Length of the simulation of a selection")
    density: FloatProperty(name="Density", default=500, min=1e-3, description="Density of bodies [kg/m³]")
    segments: IntProperty(name="Segments", default=16, min=1, max=1000, description="Segments of each strand")
    radius: FloatProperty(name="Radius", default=0.005, min=1e-6, precision=4, description="Radius of strands [m]")
    young: FloatProperty(name="Young's modulus", default=1e7, min=0, description="Young's modulus of strands [Pa]")
    has_ground: BoolProperty(name="Ground", default=True, description="A floor at z = 0")
    status: StringProperty(name="Status", default="nothing simulated yet")


def folder_of(settings):
    return bpy.path.abspath(settings.folder) if settings.folder else pathlib.Path(tempfile.gettempdir()) / "sinew-blender"


def start_job(context):
    """Raises ValueError with what to do."""
    settings = context.scene.sinew
    program = engine.find_program(bpy.path.abspath(settings.program) if settings.program else "")
    if not program:
        raise ValueError("the program sinew was not found: set its path in the panel")
    fps = context.scene.render.fps / context.scene.render.fps_base
    if settings.script:
        return engine.Job(program, bpy.path.abspath(settings.script), folder_of(settings), fps)
    baking.mend_numpy()
    script, strands = selection.write_script(context, folder_of(settings), settings)
    return engine.Job(program, script, folder_of(settings), fps, strands)


class SINEW_OT_simulate(bpy.types.Operator):
    """Simulate the script, or what is selected, and play the result"""
    bl_idname = "sinew.simulate"
    bl_label = "Simulate"
    wait: BoolProperty(default=False, options={"HIDDEN"}, description="Return only when it is done")
    _job = None
    _timer = None

    def execute(self, context):
        try:
            self._job = start_job(context)
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if self.wait or bpy.app.background:
            self._job.wait()
            return self.finish(context)
        self._timer = context.window_manager.event_timer_add(0.3, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self._job.stop()
            return self.finish(context)
        if event.type == "TIMER":
            is_done = self._job.poll()
            context.scene.sinew.status = self._job.status
            for area in context.screen.areas:
                area.tag_redraw()
            if is_done:
                return self.finish(context)
        return {"PASS_THROUGH"}

    def finish(self, context):
        if self._timer:
            context.window_manager.event_timer_remove(self._timer)
        settings = context.scene.sinew
        settings.status = self._job.status
        if self._job.error:
            self.report({"ERROR"}, self._job.error)
            return {"CANCELLED"}
        baking.bake(context, self._job.result, self._job.frame_count(), self._job.table, self._job.strands)
        return {"FINISHED"}


class SINEW_OT_clear(bpy.types.Operator):
    """Remove what the last simulation made"""
    bl_idname = "sinew.clear"
    bl_label = "Clear"

    def execute(self, context):
        baking.clear(context)
        context.scene.sinew.status = "cleared"
        return {"FINISHED"}


class SINEW_PT_panel(bpy.types.Panel):
    bl_idname = "SINEW_PT_panel"
    bl_label = "Sinew"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Sinew"

    def draw(self, context):
        settings, layout = context.scene.sinew, self.layout
        for name in ("script", "folder", "program"):
            layout.prop(settings, name)
        if not settings.script:
            for name in ("seconds", "density", "segments", "radius", "young", "has_ground"):
                layout.prop(settings, name)
            if context.object and context.object.type == "MESH":
                layout.prop(context.object, "sinew_kind")
        layout.operator("sinew.simulate")
        layout.operator("sinew.clear")
        layout.label(text=settings.status)


CLASSES = (SinewSettings, SINEW_OT_simulate, SINEW_OT_clear, SINEW_PT_panel)


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.Scene.sinew = PointerProperty(type=SinewSettings)
    bpy.types.Object.sinew_kind = EnumProperty(name="In Sinew", items=[("BODY", "Body", "Falls and collides"),
                                                                       ("OBSTACLE", "Obstacle", "Stays where it is, or follows its animation")])


def unregister():
    del bpy.types.Object.sinew_kind
    del bpy.types.Scene.sinew
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
